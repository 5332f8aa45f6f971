{{/* The objects that the updater follows: the agent of this release first, unless `updater.objects` names it at another place, then the others. */}}
{{- define "svc-agent.objects" -}}
{{- $own := dict "kind" .Values.kind "name" .Release.Name }}
{{- $objects := list }}
{{- $isNamed := false }}
{{- range .Values.updater.objects }}
{{- if and (eq .kind $own.kind) (eq .name $own.name) }}{{ $isNamed = true }}{{ end }}
{{- $objects = append $objects (merge (dict) . (dict "container" "svc" "tag" $.Values.updater.tag)) }}
{{- end }}
{{- if not $isNamed }}
{{- $objects = prepend $objects (merge (dict) $own (dict "container" "svc" "tag" $.Values.updater.tag)) }}
{{- end }}
{{- toJson $objects }}
{{- end }}

{{/* The names of one kind. */}}
{{- define "svc-agent.namesOf" -}}
{{- $names := list }}
{{- range include "svc-agent.objects" .root | fromJsonArray }}
{{- if eq .kind $.kind }}{{ $names = append $names .name }}{{ end }}
{{- end }}
{{- join ", " $names }}
{{- end }}

{{- define "svc-agent.recordNames" -}}
{{- $names := list }}
{{- range include "svc-agent.objects" . | fromJsonArray }}
{{- $names = append $names (printf "%s-%s-updater" (lower .kind) .name) }}
{{- end }}
{{- join ", " $names }}
{{- end }}

{{/* The version server: unless it is named, the proxy that the agent's own configuration names. */}}
{{- define "svc-agent.versionServer" -}}
{{- $agents := dig "svc" "proxy_server" "" .Values.config | default (dig "proxy_server" "" .Values.config) }}
{{- if .Values.updater.versionServer }}
{{- .Values.updater.versionServer }}
{{- else if $agents }}
{{- printf "https://%s" $agents }}
{{- end }}
{{- end }}
