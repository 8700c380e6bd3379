#!/bin/sh
# Stops the service before a removal, but not before an upgrade. The state in /var/lib/pcatd remains.
set -e
if [ "$1" = remove ] || [ "$1" = 0 ]; then
  # Puppet Server exits if it starts or reloads with a route to a missing terminus.
  for routes in /etc/puppetlabs/puppet/routes.yaml /etc/puppet/routes.yaml; do
    if grep -Eqs '^[^#]*cache: *["'\'']?pcatd' "${DPKG_ROOT:-}$routes"; then
      echo "pcatd: $routes has a route to pcatd: remove it and reload Puppet Server first" >&2
      exit 1
    fi
  done
  if [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
    systemctl disable --quiet --now pcatd.service || true
  fi
fi
