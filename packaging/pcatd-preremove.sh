#!/bin/sh
# Stops the service before its program is removed, not when it is upgraded. The state in /var/lib/pcatd remains.
set -e
if { [ "$1" = remove ] || [ "$1" = 0 ]; } && [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
  systemctl disable --quiet --now pcatd.service || true
fi
