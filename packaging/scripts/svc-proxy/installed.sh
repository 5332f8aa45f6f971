# Nothing is enabled or started: a server without its configuration would only fail.
installed() {
    if [ ! -d /run/systemd/system ]; then return 0; fi
    systemctl daemon-reload
    # Only if it runs. A masked one runs until somebody stops it.
    if ! systemctl is-active --quiet svc-proxy.service || masked svc-proxy.service; then return 0; fi
    if accepted; then
        # A server that fails to start must not leave the package half installed.
        systemctl try-restart svc-proxy.service ||
            echo "svc-proxy.service did not start again; the reason is in: journalctl -u svc-proxy" >&2
    else
        echo "svc-proxy.service was not restarted: it serves on as the version before, because this one would not start." >&2
        echo "Correct what svc-proxy says above, then: systemctl restart svc-proxy" >&2
    fi
}

# Whether this version accepts the unit's configuration, as the unit's user: root may read more.
accepted() {
    svc-proxy check --log-level error >/dev/null
}
