# The server keeps nothing, and its configuration is the platform's.
removed() {
    # With the proxies from its last start.
    rm -f /var/lib/svc-proxy/proxies.env
    rmdir --ignore-fail-on-non-empty /var/lib/svc-proxy 2>/dev/null || true
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        systemctl reset-failed svc-proxy.socket svc-proxy.service 2>/dev/null || true
    fi
}
