# $1: "first", or "again" for an upgrade.
installed() {
    # What removal left: whether the timer was enabled then.
    left=/var/lib/svc-upgrade/timer-at-removal
    if [ -e "$left" ]; then
        if [ "$(cat "$left")" = enabled ]; then systemctl enable --quiet svc-upgrade.timer; fi
        rm "$left"
    # Once, at the first installation: what an administrator enables or disables afterwards stays.
    # This works in an image whose systemd does not run, too.
    elif [ "$1" = first ]; then
        systemctl preset --quiet svc-upgrade.timer
    fi
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        # The timer alone: a pass that is running goes on with the program it was started from.
        if systemctl is-enabled --quiet svc-upgrade.timer; then
            systemctl restart svc-upgrade.timer
        fi
    fi
}
