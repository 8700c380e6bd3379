#!/usr/bin/env bash
# Publishes the report of review.sh as one comment of the pull request. Each run updates this comment.
#
#   PCAT_REPORTS  the directory with review.md, by default pcat-reports
#   PCAT_TOKEN    a token that may write comments
#
# It needs curl, jq and the variables that GitHub and GitLab set. Without a pull request, or if the token may not write, as
# in a pull request from a fork, it prints a message and exits with 0. The report is also in the summary and the artifacts.
set -euo pipefail

report=${PCAT_REPORTS:-pcat-reports}/review.md
if [ ! -s "$report" ]; then
  echo "comment.sh: there is no $report" >&2
  exit 2
fi
marker=$(head -n 1 "$report") # by which the next run finds the comment
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# request METHOD URL [FILE] sends a request. The token is not an argument, so other processes cannot see it.
request() {
  local header="Authorization: Bearer $token"
  if [ -n "${CI_API_V4_URL:-}" ]; then header="PRIVATE-TOKEN: $token"; fi
  curl -fsS --retry 3 --max-time 60 -X "$1" -H 'Content-Type: application/json' ${3:+--data-binary "@$3"} \
    --config <(printf 'header = "%s"\n' "$header") "$2"
}

# comment writes the report into the comment of the last run, or into a new one.
comment() {
  local comments one update page found='' id
  if [ -n "${CI_API_V4_URL:-}" ]; then
    comments=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes
    one=$comments update=PUT
  else
    [[ ${GITHUB_REF:-} =~ ^refs/pull/([0-9]+)/ ]] || return 1
    comments=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/${BASH_REMATCH[1]}/comments
    one=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/comments update=PATCH
  fi
  for ((page = 1; page <= 50; page++)); do
    request GET "$comments?per_page=100&page=$page" >"$work/page.json" || return 1
    id=$(jq -r --arg marker "$marker" '[.[] | select(.body | startswith($marker))][0].id // empty' "$work/page.json")
    if [ -n "$id" ]; then found=$id; break; fi
    if [ "$(jq length "$work/page.json")" -lt 100 ]; then break; fi
  done
  jq -n --rawfile body "$report" '{body: $body}' >"$work/comment.json"
  if [ -n "$found" ]; then
    request "$update" "$one/$found" "$work/comment.json" >/dev/null
  else
    request POST "$comments" "$work/comment.json" >/dev/null
  fi
}

token=${PCAT_TOKEN:-}
if [ -z "${CI_MERGE_REQUEST_IID:-}${GITHUB_BASE_REF:-}" ]; then
  echo 'comment.sh: this is no pull request' >&2
elif [ -z "$token" ]; then
  echo 'comment.sh: there is no token: the pull request gets no comment' >&2
elif ! comment; then
  echo 'comment.sh: the comment could not be written: the token may not, as in a pull request of a fork' >&2
fi
