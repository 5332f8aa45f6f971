#!/bin/sh
# Becomes one host: boot.sh CGROUP SLOT LOWER NSPAWN_ARGUMENT...
# Runs inside `unshare --mount`, so that every mount made here vanishes with the host's last process.
set -eu
cgroup=$1 slot=$2 lower=$3
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

# A real file system, over the memory that its image lies in: the loop device, too, goes with the mount.
if [ -e "$slot/disk/image" ]; then mount -o loop "$slot/disk/image" "$slot/disk"; fi
mkdir -p "$slot/disk/upper" "$slot/disk/work"
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$slot/disk/upper,workdir=$slot/disk/work" "$slot/root"
exec systemd-nspawn --directory="$slot/root" "$@"
