{{- define "angarium-server.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "angarium-server.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Names as Spring compares them. */}}
{{- define "angarium-server.same" -}}
{{- . | lower | replace "-" "" | replace "_" "" -}}
{{- end -}}

{{/* Refuses secrets in clear text, and what would break the ports and probes of the chart. */}}
{{- define "angarium-server.refuse" -}}
{{- $instead := dict
  "server.port" "the port is 8090"
  "server.address" "the pod listens on all addresses"
  "server.servlet.context-path" "the probes have no such path"
  "spring.mvc.servlet.path" "the probes have no such path"
  "management.server.port" "the probes ask port 8090"
  "management.endpoints.web.base-path" "the probes ask /actuator"
  "angarium.server.stop-delay" "set stopDelaySeconds"
  "angarium.server.grpc.enabled" "set grpc.enabled"
  "angarium.server.grpc.host" "the pod listens on all addresses"
  "angarium.server.grpc.port" "the port is 9090"
  "angarium.server.dubbo.enabled" "set dubbo.enabled"
  "angarium.server.dubbo.host" "the pod listens on all addresses"
  "angarium.server.dubbo.port" "the port is 20880" -}}
{{- range $name, $value := .Values.properties }}
{{- if regexMatch "(?i)password|secret|jaas|authorization" $name }}
{{- fail (printf "properties: %s is a secret, and a ConfigMap has it in clear text: put it into the Secret %s" $name $.Values.secret) }}
{{- end }}
{{- range $taken, $why := $instead }}
{{- if eq (include "angarium-server.same" $name) (include "angarium-server.same" $taken) }}
{{- fail (printf "properties: %s cannot be set: %s" $name $why) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "angarium-server.labels" -}}
{{ include "angarium-server.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}
