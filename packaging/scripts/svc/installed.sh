# $1: "first", or "again" for an upgrade.
installed() {
    if account; then may_start=yes; else may_start=no; fi
    # Without a configuration this host has no role, and if svc-proxy serves the cluster's file, the port has its server.
    if [ "$1" = first ] && [ -e /etc/svc.yaml ] && ! masked svc.service && ! taken; then
        systemctl preset --quiet svc.service
        start=yes
    else
        start=no
    fi
    if [ ! -d /run/systemd/system ]; then return 0; fi
    systemctl daemon-reload
    if [ "$may_start" = no ]; then return 0; fi
    if [ "$start" = yes ]; then
        if systemctl is-enabled --quiet svc.service; then begin; fi
        return 0
    fi
    # Only if it runs. A masked one runs until somebody stops it.
    if ! systemctl is-active --quiet svc.service || masked svc.service; then return 0; fi
    if accepted; then
        # A service that fails to start must not leave the package half installed.
        systemctl try-restart svc.service || echo "svc.service did not start again; the reason is in: journalctl -u svc" >&2
    else
        echo "svc.service was not restarted: it goes on as the version before, because this one would not start." >&2
        echo "Correct what svc says above, then: systemctl restart svc" >&2
    fi
}

taken() {
    systemctl is-enabled --quiet svc-proxy.service 2>/dev/null
}

begin() {
    systemctl start svc.service || echo "svc.service did not start; the reason is in: journalctl -u svc" >&2
}

# Whether this version accepts the unit's configuration.
accepted() {
    svc check >/dev/null
}
