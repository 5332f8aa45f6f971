removing() {
    # The links that say they are enabled would lead nowhere.
    systemctl disable --quiet svc-proxy.socket svc-proxy.service
    if [ -d /run/systemd/system ]; then
        # What was asked is answered first; the unit says how long that may take. The socket would start it again.
        systemctl stop svc-proxy.socket svc-proxy.service
    fi
}
