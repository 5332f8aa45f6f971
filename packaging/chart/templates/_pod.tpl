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

{{- define "svc-agent.agentPod" -}}
metadata:
  labels:
    {{- include "svc-agent.selector" (dict "root" . "component" "agent") | nindent 4 }}
  annotations:
    svc.dev/config: {{ toYaml .Values.config | sha256sum | quote }}
    {{- range $name, $value := .Values.annotations.pod }}
    {{ $name }}: {{ quote $value }}
    {{- end }}
spec:
  serviceAccountName: {{ .Release.Name }}
  # Whether the updater is on must change nothing here: switching it would roll the pods out.
  automountServiceAccountToken: true
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext: {{- toYaml .Values.podSecurityContext | nindent 4 }}
  {{- if .Values.join.authServer }}
  initContainers:
    # Whoever has joined already asks nobody, and uses no token.
    - name: join
      image: {{ include "svc-agent.image" (dict "root" . "container" "join") | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      command:
        - svc
        - join
        - --config=/etc/svc/svc.yaml
        - --auth-server={{ .Values.join.authServer }}
        - --ca-pin={{ .Values.join.caPin }}
        - --token=/etc/svc-join/token
      env: {{- include "svc-agent.env" . | trim | nindent 8 }}
      securityContext: {{- toYaml .Values.securityContext | nindent 8 }}
      {{- with .Values.resources }}
      resources: {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - { name: config, mountPath: /etc/svc, readOnly: true }
        - { name: join-token, mountPath: /etc/svc-join, readOnly: true }
        - { name: data, mountPath: /var/lib/svc }
  {{- end }}
  containers:
    - name: svc
      image: {{ include "svc-agent.image" (dict "root" . "container" "svc") | quote }}
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
        - { name: data, mountPath: /var/lib/svc }
  volumes:
    - name: config
      configMap: { name: {{ .Release.Name }} }
    {{- if .Values.join.authServer }}
    - name: join-token
      secret:
        secretName: {{ .Values.join.tokenSecret | default (printf "%s-join-token" .Release.Name) }}
        defaultMode: 0440
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
