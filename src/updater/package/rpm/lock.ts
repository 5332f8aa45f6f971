import { lockHolderAmong, type LockHolder } from "../../../machine/processes/lock-holder.ts";

/** Every change of rpm's database takes it, from every manager. */
const locks: readonly string[] = ["/var/lib/rpm/.rpm.lock", "/usr/lib/sysimage/rpm/.rpm.lock"];

export function rpmLockHolder(root: string): LockHolder | undefined {
  return lockHolderAmong(root, locks);
}
