#!/usr/bin/env bash
# Runs fuzz targets one by one, and prints a line for each: the target, the duration and the result. A failing input is in
# testdata/fuzz of its package.
#
#   tools/fuzz.sh TIME [PATTERN]    targets whose package and name match the pattern: tools/fuzz.sh 1h Decode
#
# PCAT_FUZZ_OPTIONS are more options for `go test`, such as -parallel=1.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:?name the time for each target, such as 30s}
pattern=${2:-}
read -ra options <<<"${PCAT_FUZZ_OPTIONS:-}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

code=0 ran=0
printf '%-48s %6s %12s %8s  %s\n' target time inputs new result
while IFS=: read -r file name; do
  target=$(dirname "$file"):$name
  if ! [[ $target =~ $pattern ]]; then continue; fi
  result=passed ran=1
  if ! go test -C "$(dirname "$file")" . -run '^$' -fuzz "^$name\$" -fuzztime "$time" ${options[@]+"${options[@]}"} >"$log" 2>&1 </dev/null; then
    result=FAILED
    code=1
  fi
  last=$(grep -o 'elapsed: .*' "$log" | tail -n 1) || last=
  printf '%-48s %6s %12s %8s  %s\n' "$target" "$(sed -n 's/elapsed: \([^,]*\).*/\1/p' <<<"$last")" \
    "$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' <<<"$last")" "$(sed -n 's/.*interesting: \([0-9]*\).*/\1/p' <<<"$last")" "$result"
  if [ "$result" = FAILED ]; then sed 's/^/    /' "$log"; fi
done < <(git grep -lE '^func Fuzz' -- '*_test.go' | while read -r file; do
  sed -n "s|^func \(Fuzz[A-Za-z0-9_]*\)(.*|$file:\1|p" "$file"
done)
if [ $ran = 0 ]; then
  echo "no fuzz target matches $pattern" >&2
  exit 2
fi
exit $code
