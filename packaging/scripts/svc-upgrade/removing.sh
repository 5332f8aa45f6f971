removing() {
    # Whether the timer was enabled outlives a removal, as settings do. The link that says so does not: it would lead nowhere.
    mkdir -p /var/lib/svc-upgrade
    systemctl is-enabled svc-upgrade.timer >/var/lib/svc-upgrade/timer-at-removal || true
    systemctl disable --quiet svc-upgrade.timer
    if [ -d /run/systemd/system ]; then
        systemctl stop svc-upgrade.timer
        # A stop lets the pass finish the step in hand. If that waits for the very lock that this removal holds,
        # it must not hold up the removal for ever: what is not done in a minute ends by itself.
        timeout 60 systemctl stop svc-upgrade.service svc-upgrade-ask.socket svc-upgrade-ask.service svc-upgrade-act.socket svc-upgrade-act.service || true
    fi
}
