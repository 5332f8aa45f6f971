#!/bin/sh
# Builds one base root: build-base.sh TARGET RELEASE PACKAGES [HOOK]. Whoever holds the lock builds; the others find it built.
# The target appears by a rename, so a base that exists is a whole one. HOOK is run at the end, with the root as its argument.
set -eu
target=$1 release=$2 packages=$3
shift 3

exec 9>"$target.lock"
flock --timeout 600 9
[ ! -e "$target" ] || exit 0

half="$target.half"
rm -rf --one-file-system "$half"
# A suite that moves is signed for some days only, and a mirror may stand still for weeks: the signature counts, and not its age.
# A second language, for hosts whose admin speaks another one than the tools' output is read in.
mmdebstrap --quiet --variant=minbase --include="$packages" \
  --aptopt='Acquire::Check-Valid-Until "false"' \
  --customize-hook='chroot "$1" localedef --inputfile=de_DE --charmap=UTF-8 de_DE.UTF-8' \
  ${1:+--customize-hook="$1"} "$release" "$half"

# An empty machine-id lets every host make its own at boot; without it the first boot would run the presets.
: >"$half/etc/machine-id"
rm -f "$half/var/lib/dbus/machine-id" "$half/etc/hostname" "$half/etc/resolv.conf"

# A host is closed: Debian's own sources would only fail there. A scenario brings its own.
rm -rf "$half/etc/apt/sources.list" "$half"/etc/apt/sources.list.d/* "$half"/var/lib/apt/lists/*
rm -rf "$half"/var/cache/apt/archives/*.deb "$half/etc/apt/apt.conf.d/99mmdebstrap"

# They would take the package manager's locks a moment after boot, in some runs and not in others.
for timer in apt-daily.timer apt-daily-upgrade.timer dnf-makecache.timer; do
  ln -sf /dev/null "$half/etc/systemd/system/$timer"
done

# The user of scenarios in which nobody special types a command.
useradd --root "$half" --create-home --uid 1000 --shell /bin/sh ordinary

mv -T "$half" "$target"
