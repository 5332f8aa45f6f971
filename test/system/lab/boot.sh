#!/bin/sh
# Becomes one host: boot.sh CGROUP DIRECTORY OVERLAY_OPTIONS NSPAWN_ARGUMENT...
# Runs inside `unshare --mount`, so that every mount made here vanishes with the host's last process.
set -eu
cgroup=$1 directory=$2 overlay=$3
shift 3

# A cgroup of its own: with --keep-unit all hosts of one cgroup would share /payload, and stopping a service in one
# kills it in another.
echo $$ >"$cgroup/cgroup.procs"

# Where the machine's cgroups are hybrid, nspawn would hand the mixture on: show it a plain cgroup2 instead.
umount --recursive --lazy /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup

# nspawn leaves locks and folders there when it is killed: they go with the host.
mkdir -p /run/systemd/nspawn
mount -t tmpfs tmpfs /run/systemd/nspawn

mount -t overlay overlay -o "$overlay" "$directory"
exec systemd-nspawn --directory="$directory" "$@"
