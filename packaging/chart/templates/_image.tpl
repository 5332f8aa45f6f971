{{/* The agent's image. */}}
{{- define "svc-agent.image" -}}
{{- $image := .Values.image }}
{{- $repository := required "set `image.repository` to the agent's image, for example registry.example.com/svc" $image.repository }}
{{- $tag := $image.tag | default .Chart.AppVersion }}
{{- $chosen := include "svc-agent.reference" (dict "repository" $repository "tag" $tag "digest" $image.digest) }}
{{- $live := include "svc-agent.liveImage" . }}
{{- if or (not $live) (not (include "svc-agent.keepsLiveImage" .)) }}
{{- $chosen }}
{{- else }}
{{- $named := regexReplaceAll "@.*$" $live "" }}
{{- $liveTag := regexFind ":[A-Za-z0-9_][A-Za-z0-9._-]*$" $named | trimPrefix ":" }}
{{- if eq $repository (trimSuffix (printf ":%s" $liveTag) $named) }}
{{- $live }}
{{- else if include "svc-agent.isAtLeast" (dict "tag" $liveTag "least" $tag) }}
{{- printf "%s:%s" $repository $liveTag }}
{{- else }}
{{- $chosen }}
{{- end }}
{{- end }}
{{- end }}

{{- define "svc-agent.reference" -}}
{{ .repository }}:{{ .tag }}{{ with .digest }}@{{ . }}{{ end }}
{{- end }}

{{/* The running container's image. An object of the other kind counts too, since the kind may be changed. */}}
{{- define "svc-agent.liveImage" -}}
{{- $images := dict }}
{{- range $kind := list "StatefulSet" "Deployment" }}
{{- $object := lookup "apps/v1" $kind $.Release.Namespace $.Release.Name }}
{{- range dig "spec" "template" "spec" "containers" (list) $object }}
{{- if eq .name "svc" }}
{{- $_ := set $images $kind .image }}
{{- end }}
{{- end }}
{{- end }}
{{- get $images .Values.kind | default (values $images | first) }}
{{- end }}

{{/* Also with the updater off, once it has moved anything: switching it off must not downgrade. */}}
{{- define "svc-agent.keepsLiveImage" -}}
{{- if not .Values.image.force }}
{{- if .Values.updater.enabled }}true{{ end }}
{{- range $kind := list "StatefulSet" "Deployment" }}
{{- include "svc-agent.turn" (dict "root" $ "kind" $kind) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "svc-agent.isAtLeast" -}}
{{- $version := "[0-9]+\\.[0-9]+\\.[0-9]+" }}
{{- $found := regexFind $version .tag }}
{{- $least := regexFind $version .least }}
{{- if and $found (or (not $least) (semverCompare (printf ">=%s" $least) $found)) }}true{{ end }}
{{- end }}
