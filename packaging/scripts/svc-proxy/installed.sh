# Nothing is enabled or started: a server without its configuration would only fail.
installed() {
    if [ ! -d /run/systemd/system ]; then return 0; fi
    systemctl daemon-reload
    # Only where it runs. One that is masked by now runs until somebody stops it.
    if ! systemctl is-active --quiet svc-proxy.service || masked svc-proxy.service; then return 0; fi
    if accepted; then
        # A server that does not come up again is no reason to leave the package half installed.
        systemctl try-restart svc-proxy.service ||
            echo "svc-proxy.service did not start again; the reason is in: journalctl -u svc-proxy" >&2
    else
        echo "svc-proxy.service was not restarted: it serves on as the version before, because this one would not start." >&2
        echo "Correct what svc-proxy says above, then: systemctl restart svc-proxy" >&2
    fi
}

# Whether this version takes the configuration that the unit names, as the unit's user: root may read more.
accepted() {
    # As its start does: systemd itself reads no file that may be another user's.
    svc-proxy keep-proxies /etc/default/svc /var/lib/svc-proxy/proxies.env || return 1
    config="$(shown ExecStart | sed -n 's/.*argv\[\]=[^;]* --config[= ]\([^ ;]*\).*/\1/p')"
    systemd-run --quiet --wait --pipe --collect \
        --property="User=$(shown User)" --property="DynamicUser=$(shown DynamicUser)" \
        --property="SupplementaryGroups=$(shown SupplementaryGroups)" --property=EnvironmentFile=-/var/lib/svc-proxy/proxies.env \
        svc-proxy check --log-level error --config "${config:-/etc/svc.yaml}" >/dev/null
}

shown() {
    systemctl show --property="$1" --value svc-proxy.service
}
