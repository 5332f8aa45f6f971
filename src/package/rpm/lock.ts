import { existsSync } from "node:fs";
import { lockHolder, type LockHolder } from "../../host/lock-holder.ts";

/** Every change of rpm's database takes it, whichever manager makes the change. */
const locks: readonly string[] = ["/var/lib/rpm/.rpm.lock", "/usr/lib/sysimage/rpm/.rpm.lock"];

export function rpmLockHolder(root: string): LockHolder | undefined {
  const below = root === "/" ? "" : root;
  const there = locks.map((lock) => `${below}${lock}`).filter((path) => existsSync(path));
  return there.map(lockHolder).find((holder) => holder !== undefined);
}
