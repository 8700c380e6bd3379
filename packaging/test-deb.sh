#!/usr/bin/env bash
# Installs the package for Debian in an empty root folder, runs its program, upgrades it from a version before, and
# removes it: nothing may stay.
#
#   packaging/test-deb.sh PACKAGE [OLDER-PACKAGE]
set -euo pipefail
package=$(realpath "$1")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/var/lib/dpkg/{info,updates}
touch "$root/var/lib/dpkg/status"

apt() { dpkg --root="$root" --log=/dev/null --force-not-root --force-bad-path "$@"; }
ours() { find "$root" -path "$root/var/lib/dpkg" -prune -o ! -type d -print; }

if [ -n "${2:-}" ]; then
  apt --install "$(realpath "$2")" >/dev/null
  echo "older version: $("$root/usr/bin/pcat" version)"
fi
apt --install "$package" >/dev/null
echo "installed: $("$root/usr/bin/pcat" version)"
"$root/usr/bin/pcat" audit --exit-zero -q testdata/pages/shop/catalogs
for file in /usr/share/man/man1/pcat.1.gz /usr/share/doc/pcat/copyright /usr/share/doc/pcat/THIRD_PARTY_NOTICES.txt \
  /usr/share/doc/pcat/pcat.cdx.json /usr/share/bash-completion/completions/pcat /usr/share/zsh/vendor-completions/_pcat; do
  [ -s "$root$file" ] || { echo "missing: $file" >&2; exit 1; }
done
apt --verify pcat
apt --purge pcat >/dev/null
left=$(ours)
if [ -n "$left" ]; then
  printf 'left after the removal:\n%s\n' "$left" >&2
  exit 1
fi
echo "removed: no file is left"
