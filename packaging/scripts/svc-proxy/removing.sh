removing() {
    # The links that say they are enabled would lead nowhere.
    systemctl disable --quiet svc-proxy.socket svc-proxy.service
    if [ -d /run/systemd/system ]; then
        # The server answers open requests first, for as long as the unit allows. The socket would start it again.
        systemctl stop svc-proxy.socket svc-proxy.service
    fi
}
