{{/* The API server is never reached through a proxy. */}}
{{- define "svc-agent.env" -}}
{{- with .Values.proxies }}
{{- with .https }}
- { name: HTTPS_PROXY, value: {{ quote . }} }
{{- end }}
{{- with .http }}
- { name: HTTP_PROXY, value: {{ quote . }} }
{{- end }}
- name: NO_PROXY
  value: {{ list .noProxy "kube.svc.cluster.local" "$(KUBERNETES_SERVICE_HOST)" | compact | join "," | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The agent's /etc/svc.yaml: the values, how it joins, and where its updater is. The same with the updater off. */}}
{{- define "svc-agent.config" -}}
{{- $object := dict "kind" .Values.kind "name" .Release.Name }}
{{- $svc := dict "kube" (dict "object" $object "schedule_secret" (include "svc-agent.sharedState" .)) }}
{{- with .Values.join }}
{{- if .authServer }}
{{- $_ := set $svc "join" (dict "auth_server" .authServer "ca_pin" .caPin "token_file" "/etc/svc-join/token") }}
{{- end }}
{{- end }}
{{- mergeOverwrite (deepCopy .Values.config) (dict "svc" $svc) | toYaml }}
{{- end }}

{{- define "svc-agent.agentPod" -}}
metadata:
  labels:
    {{- include "svc-agent.selector" (dict "root" . "component" "agent") | nindent 4 }}
  annotations:
    svc.dev/config: {{ include "svc-agent.config" . | sha256sum | quote }}
    {{- range $name, $value := .Values.annotations.pod }}
    {{ $name }}: {{ quote $value }}
    {{- end }}
spec:
  serviceAccountName: {{ .Release.Name }}
  # The same with the updater on or off: a change would roll the pods out.
  automountServiceAccountToken: true
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext: {{- toYaml .Values.podSecurityContext | nindent 4 }}
  containers:
    - name: svc
      image: {{ include "svc-agent.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      command: [svc, start, --config=/etc/svc/svc.yaml]
      env: {{- include "svc-agent.env" . | trim | nindent 8 }}
      securityContext: {{- toYaml .Values.securityContext | nindent 8 }}
      {{- with .Values.readinessProbe }}
      readinessProbe: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.resources }}
      resources: {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - { name: config, mountPath: /etc/svc, readOnly: true }
        {{- if .Values.join.authServer }}
        - { name: join-token, mountPath: /etc/svc-join, readOnly: true }
        {{- end }}
        - { name: data, mountPath: /var/lib/svc }
  volumes:
    - name: config
      configMap: { name: {{ .Release.Name }} }
    {{- if .Values.join.authServer }}
    - name: join-token
      secret:
        secretName: {{ .Values.join.tokenSecret | default (printf "%s-join-token" .Release.Name) }}
        defaultMode: 0440
        # A pod that has joined needs no token.
        optional: true
    {{- end }}
    {{- if eq .Values.kind "Deployment" }}
    - name: data
      emptyDir: {}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
