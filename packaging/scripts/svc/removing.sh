removing() {
    # The link that says it is enabled would lead nowhere.
    systemctl disable --quiet svc.service
    if [ -d /run/systemd/system ]; then systemctl stop svc.service; fi
}
