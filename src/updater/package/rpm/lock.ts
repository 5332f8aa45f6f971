import { lockHolderAmong, type LockHolder } from "../../../machine/processes/lock-holder.ts";

/** Files that every manager locks for a change of rpm's database. */
const locks: readonly string[] = ["/var/lib/rpm/.rpm.lock", "/usr/lib/sysimage/rpm/.rpm.lock"];

export function rpmLockHolder(root: string): LockHolder | undefined {
  return lockHolderAmong(root, locks);
}
