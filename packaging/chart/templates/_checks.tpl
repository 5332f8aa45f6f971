{{/* Checks that the schema cannot express, or cannot explain. */}}
{{- define "svc-agent.checks" -}}
{{- if and .Values.updater.enabled (ne (toString .Values.enterprise) "true") }}
{{- fail "the updater is for the Enterprise edition: set `enterprise: true`, or `updater.enabled: false`" }}
{{- end }}
{{- if and .Values.updater.enabled (not (include "svc-agent.versionServer" .)) }}
{{- fail "set `updater.versionServer` to the cluster's address, for example https://proxy.example.com; or `config.svc.proxy_server` to the agent's proxy, for example proxy.example.com:443" }}
{{- end }}
{{- with .Values.updater }}
{{- if and (regexMatch "^http://" .versionServer) (not .allowPlainHttp) (not (regexMatch "^http://(localhost|127\\.[0-9.]+|\\[::1\\])(:|/|$)" .versionServer)) }}
{{- fail "`updater.versionServer` is asked without TLS: set its https address, or `updater.allowPlainHttp: true` where nobody else is on the way" }}
{{- end }}
{{- range .blackouts }}
{{- if eq .from .to }}{{ fail (printf "`updater.blackouts` has one from %s to %s: that day itself is free again" .from .to) }}{{ end }}
{{- if and (regexMatch "^\\d{4}-\\d\\d-\\d\\d,\\d{4}-\\d\\d-\\d\\d$" (printf "%s,%s" .from .to)) (gt .from .to) }}
{{- fail (printf "`updater.blackouts` has one from %s to %s, which is earlier: set a later day as its end" .from .to) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (eq .Values.updater.registry.lookup "never") (eq .Values.updater.registry.pin "digest") }}
{{- fail "set `updater.registry.lookup` to prefer or require: only a registry tells the digest that `pin: digest` sets" }}
{{- end }}
{{- if and .Values.updater.labelled .Values.updater.objects }}
{{- fail (printf "`updater.labelled` and `updater.objects` are both set: remove one. With `updater.labelled` give the objects the label svc.dev/updater=%s" .Release.Name) }}
{{- end }}
{{- if .Values.updater.enabled }}
{{- $objects := list }}
{{- range include "svc-agent.objects" . | fromJsonArray }}
{{- $named := printf "%s %s" .kind .name }}
{{- if has $named $objects }}{{ fail (printf "`updater.objects` names the %s twice" $named) }}{{ end }}
{{- $objects = append $objects $named }}
{{- end }}
{{- if gt (len $objects) 32 }}
{{- fail (printf "the updater would follow %d objects, the agent among them, and follows 32: give the others an updater of their own" (len $objects)) }}
{{- end }}
{{- end }}
{{- with .Values.join }}
{{- if and .token .tokenSecret }}
{{- fail "set `join.token` or `join.tokenSecret`, not both" }}
{{- end }}
{{- if and .authServer (not .caPin) }}
{{- fail "set `join.caPin` to what `tctl status` shows" }}
{{- end }}
{{- if and .authServer (not (or .token .tokenSecret)) }}
{{- fail "set `join.token` to what `tctl tokens add --type=node` wrote, or `join.tokenSecret` to a Secret with it" }}
{{- end }}
{{- end }}
{{- range $name := list "https" "http" }}
{{- if regexMatch "^([a-z]+://)?([^@/]*@)?(localhost|127\\.0\\.0\\.1)(:|/|$)" (index $.Values.proxies $name) }}
{{- fail (printf "`proxies.%s` names the pod itself: set a DNS name or a private address of the proxy" $name) }}
{{- end }}
{{- end }}
{{- end }}
