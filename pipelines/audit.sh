#!/usr/bin/env bash
# Audits catalogs in a pipeline, and writes redacted copies as artifacts. Like `pcat audit`, it exits with 1 for findings
# that are not in the baseline.
#
#   PCAT_CATALOGS     files and directories, one per line
#   PCAT_BASELINE     the known findings; may be missing
#   PCAT_CONFIG       a configuration instead of .pcat-audit.yaml
#   PCAT_FAIL_ON      the lowest severity that fails: info, low, medium, high (the default), critical
#   PCAT_REPORTS      the directory for audit.sarif, audit.xml (JUnit), audit.html and audit.jsonl; none if it is empty
#   PCAT_SOURCE_ROOT  the root of the manifest paths in the catalogs, if it is neither the checkout nor .../environments/NAME
#   PCAT_SOURCE_URL   the address of a manifest line, with {path}, {line} and {environment}, for links in reports
#   PCAT_AUDIT_KEY    the key of the fingerprints
#   PCAT_REDACTED     the directory for redacted catalogs; none if it is empty
set -euo pipefail

catalogs=()
while read -r path; do # macOS has no mapfile
  if [ -n "$path" ]; then catalogs+=("$path"); fi
done <<<"${PCAT_CATALOGS:-catalogs}"
if [ -z "${PCAT_AUDIT_KEY:-}" ]; then unset PCAT_AUDIT_KEY; fi # an unset secret is an empty variable

options=(--fail-on "${PCAT_FAIL_ON:-high}")
if [ -n "${PCAT_BASELINE:-}" ] && [ -e "$PCAT_BASELINE" ]; then options+=(--baseline "$PCAT_BASELINE"); fi
if [ -n "${PCAT_SOURCE_ROOT:-}" ]; then options+=(--source-root "$PCAT_SOURCE_ROOT"); fi
if [ -n "${PCAT_SOURCE_URL:-}" ]; then options+=(--source-url "$PCAT_SOURCE_URL"); fi
if [ -n "${PCAT_CONFIG:-}" ]; then options+=(--config "$PCAT_CONFIG"); fi
if [ -n "${PCAT_REPORTS:-}" ]; then
  mkdir -p "$PCAT_REPORTS"
  options+=(
    --report "sarif=$PCAT_REPORTS/audit.sarif" --report "junit=$PCAT_REPORTS/audit.xml"
    --report "html=$PCAT_REPORTS/audit.html" --report "jsonl=$PCAT_REPORTS/audit.jsonl"
  )
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  summary=$(mktemp)
  trap 'rm -f "$summary"' EXIT
  options+=(--format github --report "text=$summary")
fi

code=0
pcat audit "${options[@]}" -- "${catalogs[@]}" || code=$?
if [ -n "${summary:-}" ]; then
  { printf '### pcat audit\n\n'; sed 's/^/    /' "$summary"; } >>"$GITHUB_STEP_SUMMARY" # an indented block has no markup
fi
if [ -n "${PCAT_REDACTED:-}" ]; then
  pcat redact --output-dir "$PCAT_REDACTED" -- "${catalogs[@]}" || { redacted=$?; [ "$code" -gt 1 ] || code=$redacted; }
fi
exit "$code"
