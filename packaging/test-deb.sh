#!/usr/bin/env bash
# Installs the package for Debian in an empty root folder, runs its program there, upgrades it from a version before, and
# removes it: no trace may stay.
#
#   packaging/test-deb.sh [PACKAGE [OLDER]]
#
# Without arguments, it builds both from this tree.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v dpkg >/dev/null; then
  echo "there is no dpkg here: the package for Debian is not tested"
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$root"/var/lib/dpkg/{info,updates}
touch "$root/var/lib/dpkg/status"

package=${1:-} older=${2:-}
if [ -z "$package" ]; then
  package=$work/new.deb older=$work/old.deb
  packaging/prepare.sh
  platform=bin/release/$(go env GOOS)_$(go env GOARCH)
  bin/release/about -sbom "$platform/pcat.cdx.json" -notices "$platform/THIRD_PARTY_NOTICES.txt" bin/release/pcat
  (cd tools/release && go build -o ../../bin/release/deb ./deb)
  bin/release/deb -version v0.1.0-rc.1 bin/release/pcat "$older"
  bin/release/deb -version v0.1.0 bin/release/pcat "$package"
fi

apt() { dpkg --root="$root" --log=/dev/null --force-not-root --force-bad-path "$@"; }
files() { (cd "$root" && find . -path './var/lib/dpkg/*' -prune -o -print | sort); }
pcat() { if [ "$(id -u)" = 0 ]; then chroot "$root" /usr/bin/pcat "$@"; else "$root/usr/bin/pcat" "$@"; fi; }
version() { dpkg-deb --field "$1" Version; }

before=$(files)
if [ -n "$older" ]; then
  if ! dpkg --compare-versions "$(version "$older")" lt "$(version "$package")"; then
    echo "$(version "$package") is not newer than $(version "$older")" >&2
    exit 1
  fi
  apt --install "$older" >/dev/null
  echo "installed $(version "$older"): $(pcat version)"
fi
apt --install "$package" >/dev/null
echo "installed $(version "$package"): $(pcat version)"
pcat audit --exit-zero -q - <testdata/pages/shop/catalogs/web01.json | tail -n 1
for file in /usr/share/man/man1/pcat.1.gz /usr/share/doc/pcat/copyright /usr/share/doc/pcat/THIRD_PARTY_NOTICES.txt \
  /usr/share/doc/pcat/pcat.cdx.json /usr/share/bash-completion/completions/pcat /usr/share/zsh/vendor-completions/_pcat; do
  [ -s "$root$file" ] || { echo "missing: $file" >&2; exit 1; }
done
apt --verify pcat
apt --purge pcat >/dev/null
if ! diff <(echo "$before") <(files) || grep -q '^Package: pcat$' "$root/var/lib/dpkg/status" || compgen -G "$root/var/lib/dpkg/info/pcat.*"; then
  echo "the removal left a trace" >&2
  exit 1
fi
echo "removed without a trace"
