# The cluster stays, with its configuration.
removed() {
    rm -f /run/svc.pid
    if [ -d /run/systemd/system ]; then
        systemctl daemon-reload
        systemctl reset-failed svc.service 2>/dev/null || true
    fi
}
