{{- define "svc-agent.findRecord" -}}
{{ lookup "v1" "ConfigMap" .root.Release.Namespace (include "svc-agent.recordName" .) | toJson }}
{{- end }}

{{/*
How often the updater has written its record; empty: never. `helm upgrade --force` wipes the record and leaves the annotation, by which
the loss is known.
*/}}
{{- define "svc-agent.turn" -}}
{{- $found := include "svc-agent.findRecord" . | fromJson }}
{{- $record := dig "data" "record" "" $found | fromJson }}
{{- if $record.turn }}{{ int64 $record.turn }}{{ else }}{{ dig "metadata" "annotations" "svc.dev/turn" "" $found }}{{ end }}
{{- end }}
