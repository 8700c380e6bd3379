#!/usr/bin/env bash
# Makes all modules of the repository tidy. With -diff, it only prints the differences, and fails if there are any.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
code=0
# Not the server of Vault: its versions are pinned, and do not fit into a tidy module.
for mod in $(git ls-files 'go.mod' '*/go.mod' ':!internal/test/live/vault' ':!fleet'); do
  (cd "$(dirname "$mod")" && go mod tidy "$@") || code=1
done
# The fleet requires a release of pcat, which is this tree until it is published.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp fleet/go.mod fleet/go.sum "$work"
go mod edit -replace "github.com/pcatdev/pcat=$root" "$work/go.mod"
(cd fleet && go mod tidy -modfile="$work/go.mod" "$@") || code=1
go mod edit -dropreplace github.com/pcatdev/pcat "$work/go.mod"
if [ $code = 0 ]; then
  for file in go.mod go.sum; do cmp -s "$work/$file" "fleet/$file" || cp "$work/$file" "fleet/$file"; done
fi
exit $code
