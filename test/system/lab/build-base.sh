#!/bin/sh
# Builds one base root: build-base.sh SUITE PACKAGES TARGET. Whoever holds the lock builds; the others find it built.
# The target appears by a rename, so a base that exists is a whole one.
set -eu
suite=$1 packages=$2 target=$3

exec 9>"$target.lock"
flock --timeout 600 9
[ ! -e "$target" ] || exit 0

half="$target.half"
rm -rf --one-file-system "$half"
mmdebstrap --quiet --variant=minbase --include="$packages" "$suite" "$half"

# An empty machine-id lets every host make its own at boot; without it the first boot would run the presets.
: >"$half/etc/machine-id"
rm -f "$half/var/lib/dbus/machine-id" "$half/etc/hostname" "$half/etc/resolv.conf"

# A host is closed: Debian's own sources would only fail there. A scenario brings its own.
rm -rf "$half/etc/apt/sources.list" "$half"/etc/apt/sources.list.d/* "$half"/var/lib/apt/lists/*
rm -rf "$half"/var/cache/apt/archives/*.deb

# They would take apt's locks a moment after boot, in some runs and not in others.
for timer in apt-daily.timer apt-daily-upgrade.timer; do
  ln -sf /dev/null "$half/etc/systemd/system/$timer"
done

# The user of scenarios in which nobody special types a command.
useradd --root "$half" --create-home --uid 1000 --shell /bin/sh ordinary

mv -T "$half" "$target"
