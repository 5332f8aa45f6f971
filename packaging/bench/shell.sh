#!/bin/bash
# A script for the same task alone: curl, dpkg-query, a comparison.
set -eu
endpoint="$(sed -n 's/^endpoint: *//p' /etc/svc-upgrade/50-bench.yaml)"
served="$(curl --silent --show-error --fail --max-time 30 "$endpoint/v1/webapi/automaticupgrades/channel/default/version")"
served="${served#v}"
installed="$(dpkg-query --show --showformat='${Version}' svc-ent)"
spoken="$(svc version)"
if [ "$installed" = "$served" ] && [[ "$spoken" == *"v$served"* ]]; then
    echo "no upgrades available ($installed == $served)"
else
    echo "an upgrade is available ($installed -> $served)"
fi
