#!/usr/bin/env bash
# Builds the packages of a release in dist/, and builds them again in another directory. Their checksums must be equal.
# The packages contain only committed files, so commit the tree first.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p bin
(cd tools/release && go build -o ../../bin/goreleaser github.com/goreleaser/goreleaser/v2)
goreleaser=$PWD/bin/goreleaser

options=(release --clean --skip=publish,announce)
if ! git describe --tags --exact-match --match 'v*' >/dev/null 2>&1; then options+=(--snapshot); fi

build() ( # DIR COMMIT
  rm -rf "$1"
  git clone --quiet --no-hardlinks . "$1"
  cd "$1"
  git checkout --quiet "$2"
  git remote set-url origin https://github.com/pcatdev/pcat.git
  "$goreleaser" check --quiet
  "$goreleaser" "${options[@]}" >"$1.log" 2>&1 || { cat "$1.log"; exit 1; } # a log in the tree would modify it
  if go version -m dist/*/pcat* | grep -F vcs.modified=true; then
    echo "the programs were not built from the commit as it is" >&2
    exit 1
  fi
)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commit=$(git rev-parse HEAD)
build "$work/first" "$commit"
build "$work/second/folder" "$commit"
if ! diff "$work/first/dist/checksums.txt" "$work/second/folder/dist/checksums.txt"; then
  echo "two builds of $commit differ" >&2
  exit 1
fi
rm -rf dist
mkdir dist
cp "$work"/first/{dist/checksums.txt,bin/release/sbom/*} dist/
(cd "$work/first/dist" && cp ./*.{tar.gz,zip,deb,rpm} "$OLDPWD/dist/")
(cd dist && sha256sum --check --quiet checksums.txt)
echo "dist/: two builds of $commit are equal"
cat dist/checksums.txt
