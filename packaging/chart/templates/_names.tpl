{{- define "svc-agent.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Never on a pod: each version of this chart would roll them out. */}}
{{- define "svc-agent.labels" -}}
{{ include "svc-agent.selector" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The updater finds its objects and records by these. */}}
{{- define "svc-agent.updaterLabel" -}}
{{- if and .Values.updater.enabled .Values.updater.labelled }}
svc.dev/updater: {{ quote .Release.Name }}
{{- end }}
{{- end }}

{{/* The record of the object; the updater forms the same name itself. */}}
{{- define "svc-agent.recordName" -}}
{{ lower .kind }}-{{ .name | default .root.Release.Name }}-updater
{{- end }}

{{/* Where the agent exports its windows. It makes this Secret itself. */}}
{{- define "svc-agent.sharedState" -}}
{{ .Release.Name }}-shared-state
{{- end }}
