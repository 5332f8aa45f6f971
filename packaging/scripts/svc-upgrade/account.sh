# Makes the deciding user before anything of ours is started, and says whether it may start: not without that user, and not if an account
# of that name would be root. An image without systemd cannot make it, which is no failure.
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
