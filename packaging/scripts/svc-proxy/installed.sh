# Nothing is enabled or started: a server without its configuration would only fail.
installed() {
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        # Only where it runs. A server that does not come up again is no reason to leave the package half installed.
        systemctl try-restart svc-proxy.service ||
            echo "svc-proxy.service did not start again; the reason is in: journalctl -u svc-proxy" >&2
    fi
}
