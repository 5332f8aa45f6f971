import { statSync, type Stats } from "node:fs";

type Rights = Pick<Stats, "uid" | "gid" | "mode">;

/** Root, and whoever runs this. In a user namespace the machine's root has another number, which whoever owns "/" shows. */
export function isTrustedOwner(uid: number): boolean {
  return uid === 0 || uid === process.geteuid?.() || uid === statSync("/").uid;
}

/** Who besides its owner may make, rename and remove what lies in a directory. */
export function otherWriters({ gid, mode }: Pick<Rights, "gid" | "mode">): "everybody" | "its group" | "nobody" {
  if ((mode & 0o002) !== 0) return "everybody";
  const isOwnGroup = gid === 0 || gid === process.getegid?.();
  return (mode & 0o020) !== 0 && !isOwnGroup ? "its group" : "nobody";
}

/** Whether somebody who is not trusted could put something else in an entry's place. In a sticky directory that is its owner alone. */
export function isReplaceable(directory: Rights, entry: Pick<Rights, "uid">): boolean {
  if (!isTrustedOwner(directory.uid)) return true;
  if (otherWriters(directory) === "nobody") return false;
  return (directory.mode & 0o1000) === 0 || !isTrustedOwner(entry.uid);
}
