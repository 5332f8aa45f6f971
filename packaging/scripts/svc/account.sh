# Makes the service's user and its directory, which tctl restore may need before the service has run, and says whether the service may
# start: not without that user, and not if an account of that name would be root.
account() {
    if command -v systemd-sysusers >/dev/null; then systemd-sysusers svc-ent.conf || true; fi
    entry="$(getent passwd svc || true)"
    if [ -z "$entry" ]; then
        echo "There is no user svc yet, so svc.service is not started: systemd-sysusers svc-ent.conf && systemctl start svc" >&2
        return 1
    fi
    if [ "$(echo "$entry" | cut -d: -f3)" -eq 0 ]; then
        echo "The account svc of this host has uid 0, and the service does not run as root: svc.service is not started." >&2
        echo "Give that account another name (vipw), then: systemd-sysusers svc-ent.conf && systemctl start svc" >&2
        return 1
    fi
    # An existing one stays as it is: systemd gives it to the user at the next start.
    if [ ! -e /var/lib/svc ] && [ ! -L /var/lib/svc ]; then install -d -m 0700 -o svc -g "$(id -gn svc)" /var/lib/svc; fi
    # The cluster's windows for the updater go there. An existing one is not looked at and keeps its owner: the updater's enroll gives it to
    # the agent's user.
    if mkdir /etc/svc-upgrade.d 2>/dev/null; then install -d -m 0755 -o svc -g "$(id -gn svc)" /etc/svc-upgrade.d; fi
}
