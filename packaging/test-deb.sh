#!/usr/bin/env bash
# Installs the Debian packages in an empty root directory, runs their programs there, upgrades them from an earlier
# version, and removes them. Only the state of pcatd, which belongs to the user, may remain.
#
#   packaging/test-deb.sh [PACKAGE [OLDER [PACKAGE OF PCATD [OLDER]]]]
#
# Without arguments, it builds all packages from this tree.
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

package=${1:-} older=${2:-} fleet=${3:-} former=${4:-}
if [ -z "$package" ]; then
  package=$work/new.deb older=$work/old.deb fleet=$work/fleet.deb former=$work/former.deb
  packaging/prepare.sh
  platform=bin/release/$(go env GOOS)_$(go env GOARCH)
  bin/release/about -sbom "$platform/pcat.cdx.json" -notices "$platform/THIRD_PARTY_NOTICES.txt" bin/release/pcat
  platform=bin/release/fleet/$(go env GOOS)_$(go env GOARCH)
  bin/release/about -sbom "$platform/pcatd.cdx.json" -notices "$platform/THIRD_PARTY_NOTICES.txt" bin/release/pcatd
  (cd tools/release && go build -o ../../bin/release/nativepkg ./nativepkg)
  bin/release/nativepkg -version v0.1.0 bin/release/pcat "$older"
  bin/release/nativepkg -version v0.2.0 bin/release/pcat "$package"
  bin/release/nativepkg -name pcatd -version v0.1.0 bin/release/pcatd "$former"
  bin/release/nativepkg -name pcatd -version v0.2.0 bin/release/pcatd "$fleet"
fi

apt() { dpkg --root="$root" --log=/dev/null --force-not-root --force-bad-path --force-script-chrootless "$@"; }
files() { (cd "$root" && find . -path './var/lib/dpkg/*' -prune -o -print | sort); }
pcat() { if [ "$(id -u)" = 0 ]; then chroot "$root" /usr/bin/pcat "$@"; else "$root/usr/bin/pcat" "$@"; fi; }
pcatd() { "$root/usr/bin/pcatd" "$@"; }
present() { for file; do [ -s "$root$file" ] || { echo "missing: $file" >&2; exit 1; }; done; }
gone() { # PACKAGE: only the files from before the installation remain
  if ! diff <(echo "$before") <(files) || grep -q "^Package: $1\$" "$root/var/lib/dpkg/status" || compgen -G "$root/var/lib/dpkg/info/$1.*"; then
    echo "the removal of $1 left a trace" >&2
    exit 1
  fi
}
# systemd runs the script of pcatd's package that follows its installation, as dpkg does on a machine with systemd, whose
# systemctl only writes what it is asked for.
systemd() { # ARGUMENT...
  mkdir -p "$work/bin"
  printf '#!/bin/sh\necho "$@"\n' >"$work/bin/systemctl"
  chmod 755 "$work/bin/systemctl"
  # shellcheck disable=SC2016
  PATH=$work/bin:$PATH unshare --mount --propagation private sh -c 'mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system && exec sh "$@"' \
    sh "$root/var/lib/dpkg/info/pcatd.postinst" "$@"
}
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
pcat audit --fail-on none -q - <testdata/pages/shop/catalogs/web01.json | tail -n 1
present /usr/share/man/man1/pcat.1.gz /usr/share/doc/pcat/copyright /usr/share/doc/pcat/THIRD_PARTY_NOTICES.txt \
  /usr/share/doc/pcat/pcat.cdx.json /usr/share/bash-completion/completions/pcat /usr/share/zsh/vendor-completions/_pcat
apt --verify pcat
apt --purge pcat >/dev/null
gone pcat
echo "removed without a trace"

if [ -n "$fleet" ]; then
  if [ -n "$former" ]; then apt --install "$former" >/dev/null; fi
  apt --install "$fleet" >/dev/null
  if unshare --mount --propagation private true 2>/dev/null; then
    if [ "$(systemd configure)" != daemon-reload ] || [ "$(systemd configure 0.0.9 | xargs)" != 'daemon-reload try-restart pcatd.service' ] ||
      [ "$(systemd abort-upgrade 0.2.0)" != daemon-reload ]; then
      echo "the service is not restarted after an upgrade, or is after something else" >&2
      exit 1
    fi
    echo "pcatd: an upgrade restarts the service if it runs"
  else
    echo "pcatd: the restart after an upgrade is not tested, which needs root and mount namespaces"
  fi
  present /usr/share/man/man1/pcatd-serve.1.gz /usr/share/doc/pcatd/copyright /usr/share/doc/pcatd/THIRD_PARTY_NOTICES.txt \
    /usr/share/doc/pcatd/pcatd.cdx.json /usr/share/doc/pcatd/fleet.md /usr/share/doc/pcatd/pcatd-alerts.yaml \
    /usr/share/doc/pcatd/pcatd-dashboard.json /usr/share/pcatd/modules/pcatd/manifests/init.pp /usr/share/bash-completion/completions/pcatd \
    /usr/lib/systemd/system/pcatd.service /etc/default/pcatd \
    /usr/share/pcatd/puppet/check.rb /usr/share/pcatd/puppet/lib/puppet/indirector/catalog/pcatd.rb
  if compgen -G "$root/etc/systemd/system/*/pcatd.service"; then echo "the service is enabled" >&2; exit 1; fi
  if command -v systemd-analyze >/dev/null; then
    # The unit expects the program in another directory.
    sed "s#/usr/bin/pcatd#$root/usr/bin/pcatd#" packaging/pcatd.service >"$work/pcatd.service"
    systemd-analyze verify --man=no "$work/pcatd.service"
  fi
  apt --verify pcatd
  export PCATD_STATE=$root/var/lib/pcatd
  mkdir -p "$root/var/lib"
  "$root/usr/bin/pcatd" serve --http '' --max-store 1GB 2>"$work/serve.log" &
  server=$!
  trap 'kill $server 2>/dev/null || true; rm -rf "$work"' EXIT
  pcatd status --wait >/dev/null || { cat "$work/serve.log" >&2; exit 1; }
  pcatd ingest testdata/pages/shop/catalogs/*.json
  pcatd status --wait >/dev/null
  pcatd report | tail -n 1
  kill "$server"
  wait "$server"
  mkdir -p "$root/etc/puppetlabs/puppet"
  echo 'server: {catalog: {terminus: compiler, cache: pcatd}}' >"$root/etc/puppetlabs/puppet/routes.yaml"
  if apt --purge pcatd >"$work/refused" 2>&1 || ! grep -q 'remove it and reload Puppet Server first' "$work/refused"; then
    cat "$work/refused"
    echo "pcatd was removed although Puppet Server uses its terminus" >&2
    exit 1
  fi
  rm -r "$root/etc/puppetlabs"
  apt --purge pcatd >/dev/null
  if ! [ -s "$PCATD_STATE/fleet.key" ]; then echo "the removal deleted the state" >&2; exit 1; fi
  rm -r "$PCATD_STATE"
  gone pcatd
  echo "pcatd: installed, it audits; removed without a trace but its state"
fi
