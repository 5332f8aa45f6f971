removing() {
    # The link that says it is enabled would lead nowhere.
    systemctl disable --quiet svc-proxy.service
    if [ -d /run/systemd/system ]; then
        # What was asked is answered first; the unit says how long that may take.
        systemctl stop svc-proxy.service
    fi
}
