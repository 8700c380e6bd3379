#!/bin/sh
# After an upgrade, restarts the service if it runs, because all processes of a fleet must be of one version. A new service is
# neither enabled nor started.
set -e
case "$1" in
  configure) upgraded=${2:-} ;; # Debian: the version before
  [2-9]*) upgraded=$1 ;;        # Red Hat: the number of versions
  *) upgraded= ;;
esac
if [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
  if [ -n "$upgraded" ]; then
    systemctl try-restart pcatd.service || true
  fi
fi
