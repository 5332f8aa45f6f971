# Settings, schedule and state stay.
removed() {
    rm -f /var/lib/systemd/timers/stamp-svc-upgrade.timer
    # The last two come from releases whose units exchanged files.
    rm -rf /run/svc-upgrade /run/svc-upgrade-ask /run/private/svc-upgrade-ask
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        systemctl reset-failed svc-upgrade.timer svc-upgrade.service svc-upgrade-ask.socket svc-upgrade-ask.service svc-upgrade-act.socket svc-upgrade-act.service 2>/dev/null || true
    fi
}
