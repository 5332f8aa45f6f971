# Whether it neither runs nor starts, so that nobody waits for it.
idle() {
    case "$(systemctl is-active "$1")" in
    inactive | failed) true ;;
    *) false ;;
    esac
}

# $1: "first", or "again" for an upgrade.
installed() {
    if account; then may_start=yes; else may_start=no; fi
    # The deciding unit writes the metrics in its own directory; their collector finds them here.
    mkdir -p /var/lib/svc-upgrade
    ln -sfn ../svc-upgrade-decide/metrics.prom /var/lib/svc-upgrade/metrics.prom
    # Readers of the journal may read the agent's last lines too: files in there get the folder's group.
    if getent group systemd-journal >/dev/null; then
        mkdir -p /var/lib/svc-upgrade/evidence
        chgrp systemd-journal /var/lib/svc-upgrade/evidence
        chmod 2755 /var/lib/svc-upgrade/evidence
    fi
    # The removal left a note whether the timer was enabled.
    left=/var/lib/svc-upgrade/timer-at-removal
    occasion="$1"
    if [ -e "$left" ]; then
        occasion="return"
        if [ "$(cat "$left")" = enabled ] && ! masked svc-upgrade.timer; then systemctl enable --quiet svc-upgrade.timer; fi
        rm "$left"
    # Once, at the first installation: an administrator's later choice stays.
    # This also works in an image without a running systemd.
    elif [ "$occasion" = first ] && ! masked svc-upgrade.timer; then
        systemctl preset --quiet svc-upgrade.timer
    fi
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        # After a release without these units systemd has their sockets no longer open, and takes them for active all the same.
        for unit in svc-upgrade-ask svc-upgrade-act; do
            if [ "$occasion" = again ] && systemctl is-active --quiet "$unit.socket" && idle "$unit.service"; then
                systemctl restart "$unit.socket" || true
            fi
        done
        # The timer alone: a pass that is running goes on with the program it was started from. An upgrade starts no timer that
        # an administrator has stopped, and stops none that could not start again because its service is masked.
        if [ "$occasion" = again ]; then question=is-active; else question=is-enabled; fi
        if [ "$may_start" = yes ] && systemctl "$question" --quiet svc-upgrade.timer &&
            ! masked svc-upgrade.timer && ! masked svc-upgrade.service; then
            systemctl restart svc-upgrade.timer ||
                echo "svc-upgrade.timer did not start; the reason is in: journalctl -u svc-upgrade.timer" >&2
        fi
    fi
}
