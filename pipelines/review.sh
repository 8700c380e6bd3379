#!/usr/bin/env bash
# Reviews a branch in a pipeline: compiles the catalogs of both sides, and writes the changes on the nodes and the new
# secrets to one comment of the pull request. Each run updates this comment. The script exits with 1 if a gate fails, and
# with 3 or more if a comparison fails.
#
#   PCAT_BASE           the branch to merge into; by default the target of the pull request
#   PCAT_HEAD           the commit to review, by default HEAD
#   PCAT_FAIL_ON        the changes that fail, as for `pcat diff --fail-on`: by default compile, a node that no longer compiles
#   PCAT_AUDIT_FAIL_ON  the lowest severity of a new secret that fails: info, low, medium, high (the default), critical
#   PCAT_REPORTS        the directory for review.md, diff.html, diff.json, audit.sarif and audit.html; by default pcat-reports
#   PCAT_COMMENT        the name of the comment, which the next run searches for; by default review
#   PCAT_AUDIT_KEY      the key of the fingerprints
set -euo pipefail

base=${PCAT_BASE:-}
if [ -z "$base" ]; then
  base=${GITHUB_BASE_REF:+origin/$GITHUB_BASE_REF}
  base=${base:-${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}}
fi
if [ -z "$base" ]; then
  echo 'review.sh: PCAT_BASE is empty, and this is no pull request' >&2
  exit 2
fi
head=$(git rev-parse --verify "${PCAT_HEAD:-HEAD}^{commit}")
base=$(git merge-base "$base" "$head") || {
  echo "review.sh: $base and the commit to review have no common commit: fetch the whole history (fetch-depth: 0, GIT_DEPTH: 0)" >&2
  exit 2
}
reports=${PCAT_REPORTS:-pcat-reports}
name=${PCAT_COMMENT:-review}
if [ -z "${PCAT_AUDIT_KEY:-}" ]; then unset PCAT_AUDIT_KEY; fi # an unset secret is an empty variable
link=${CI_JOB_URL:-${GITHUB_RUN_ID:+$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID}}

mkdir -p "$reports"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the most severe of the given exit codes.
worst() {
  local code=0 one
  for one in "$@"; do if [ "$one" -gt "$code" ]; then code=$one; fi; done
  echo "$code"
}

changes=0
pcat diff --fail-on "${PCAT_FAIL_ON:-compile}" --marker "$name" --max-bytes 45000 ${link:+--link "$link"} \
  --report "markdown=$work/diff.md" --report "html=$reports/diff.html" --report "json=$reports/diff.json" \
  "compile:?ref=$base" "compile:?ref=$head" 2> >(tee "$work/diff.err" >&2) || changes=$?

# If a node does not compile on the base, all its secrets are new.
pcat audit -q --fail-on none --report "jsonl=$work/before.jsonl" "compile:?ref=$base" >/dev/null || true
secrets=0
pcat audit --fail-on "${PCAT_AUDIT_FAIL_ON:-high}" --since "$work/before.jsonl" \
  --report "text=$work/audit.txt" --report "sarif=$reports/audit.sarif" --report "html=$reports/audit.html" \
  "compile:?ref=$head" || secrets=$?

{
  if [ -s "$work/diff.md" ]; then
    cat "$work/diff.md"
  else
    printf '<!-- pcat-diff:%s -->\n**The catalogs could not be compared.**\n\n' "$name"
    head -n 20 "$work/diff.err" | sed 's/^/    /' # an indented block has no markup
  fi
  if [ "$secrets" -gt 1 ]; then
    printf '\n**Not all catalogs could be audited**; the log of the job says why.\n'
  fi
  if [ "$secrets" = 0 ]; then
    printf '\nNo new secrets.\n'
  elif [ -s "$work/audit.txt" ]; then
    printf '\n<details open><summary><b>New secrets</b></summary>\n\n'
    head -n 120 "$work/audit.txt" | cut -c1-200 | sed 's/^/    /'
    printf '\n</details>\n'
  fi
} >"$reports/review.md"
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$reports/review.md" >>"$GITHUB_STEP_SUMMARY"; fi

exit "$(worst "$changes" "$secrets")"
