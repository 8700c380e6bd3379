#!/usr/bin/env bash
# Installs a released version of pcat, PCAT_VERSION (v0.2.0), in the directory PCAT_BIN, and verifies its checksum.
#
# PCAT_RELEASES names another server with the same files, such as a mirror.
set -euo pipefail

version=${PCAT_VERSION:?set PCAT_VERSION to the version to install, such as v0.2.0}
bin=${PCAT_BIN:?set PCAT_BIN to the directory for the program}
releases=${PCAT_RELEASES:-https://github.com/pcatdev/pcat/releases/download}

case $version in
  v[0-9]*) ;;
  *) echo "install.sh: PCAT_VERSION is $version; a version begins with v and a number, such as v0.2.0" >&2; exit 2 ;;
esac

case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  MINGW* | MSYS* | CYGWIN*) os=windows ;;
  *) echo "install.sh: there is no package for $(uname -s); build pcat with Go" >&2; exit 1 ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) echo "install.sh: there is no package for $(uname -m); build pcat with Go" >&2; exit 1 ;;
esac

archive=pcat_${version#v}_${os}_${arch}.tar.gz
if [ "$os" = windows ]; then archive=${archive%.tar.gz}.zip; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "$archive" checksums.txt; do
  curl --fail --silent --show-error --location --retry 3 --output "$work/$file" "$releases/$version/$file"
done
cd "$work"
awk -v name="$archive" '$2 == name' checksums.txt >sum
if ! [ -s sum ]; then
  echo "install.sh: checksums.txt of $version does not list $archive" >&2
  exit 1
fi
if command -v sha256sum >/dev/null; then sha256sum --check --quiet sum; else shasum -a 256 --check --quiet sum; fi
if [ "$os" = windows ]; then unzip -q "$archive"; else tar -xzf "$archive"; fi
cd - >/dev/null
mkdir -p "$bin"
for program in "$work"/pcat "$work"/pcat.exe; do
  if [ -f "$program" ]; then mv "$program" "$bin/"; fi
done
