{{- $pages := slice -}}
{{- range where site.Pages "Kind" "in" (slice "home" "section" "page") -}}
{{- if .File -}}
{{- $headings := slice -}}
{{- range .Fragments.HeadingsMap }}{{ $headings = $headings | append (dict "id" .ID "title" (.Title | plainify | htmlUnescape)) }}{{ end -}}
{{- $pages = $pages | append (dict "url" (strings.TrimPrefix "/" (strings.TrimPrefix (site.Home.RelPermalink) .RelPermalink)) "title" (partial "title.html" .) "headings" $headings "text" (.Plain | htmlUnescape)) -}}
{{- end -}}
{{- end -}}
window.pages = {{ $pages | jsonify }};
