removing() {
    # A note keeps over the removal whether the timer was enabled, as settings are kept. Its link goes, which would lead nowhere.
    mkdir -p /var/lib/svc-upgrade
    systemctl is-enabled svc-upgrade.timer >/var/lib/svc-upgrade/timer-at-removal || true
    systemctl disable --quiet svc-upgrade.timer
    if [ -d /run/systemd/system ]; then
        systemctl stop svc-upgrade.timer
        # A stop lets the pass finish the step in hand. If that waits for the very lock that this removal holds,
        # it must not block the removal for ever: after a minute the wait ends.
        timeout 60 systemctl stop svc-upgrade.service svc-upgrade-ask.socket svc-upgrade-ask.service svc-upgrade-act.socket svc-upgrade-act.service || true
    fi
}
