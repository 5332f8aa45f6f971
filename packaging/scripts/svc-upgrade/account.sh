# The user that decides, before anything of ours is started. Whether something may be: not without that user, and not as root because
# of an account that somebody made. An image without systemd has nothing to make it with, which is no failure.
account() {
    if command -v systemd-sysusers >/dev/null; then systemd-sysusers svc-upgrade.conf || true; fi
    entry="$(getent passwd svc-upgrade || true)"
    if [ -z "$entry" ]; then
        echo "There is no user svc-upgrade yet, so svc-upgrade.timer is not started: systemd-sysusers svc-upgrade.conf && systemctl start svc-upgrade.timer" >&2
        return 1
    fi
    if [ "$(echo "$entry" | cut -d: -f3)" -eq 0 ]; then
        echo "The account svc-upgrade of this host has uid 0, and the updater does not decide as root: svc-upgrade.timer is not started." >&2
        echo "Give that account another name (vipw), then: systemd-sysusers svc-upgrade.conf && systemctl start svc-upgrade.timer" >&2
        return 1
    fi
    case "$entry" in
    */nologin | */false) ;;
    *) echo "The account svc-upgrade of this host has a login shell, and the updater needs none: usermod --shell /usr/sbin/nologin svc-upgrade" >&2 ;;
    esac
}
