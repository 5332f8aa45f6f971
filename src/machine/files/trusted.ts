import { statSync, type Stats } from "node:fs";

type Rights = Pick<Stats, "uid" | "gid" | "mode">;

/** Whether it is root or this user. In a user namespace the machine's root has another number, which the owner of "/" shows. */
export function isTrustedOwner(uid: number): boolean {
  return uid === 0 || uid === process.geteuid?.() || uid === statSync("/").uid;
}

/** Which users besides its owner may make, rename and remove entries of a directory. */
export function otherWriters({ gid, mode }: Pick<Rights, "gid" | "mode">): "everybody" | "its group" | "nobody" {
  if ((mode & 0o002) !== 0) return "everybody";
  const isOwnGroup = gid === 0 || gid === process.getegid?.();
  return (mode & 0o020) !== 0 && !isOwnGroup ? "its group" : "nobody";
}

/** Whether an untrusted user could replace an entry. In a sticky directory only its owner can. */
export function isReplaceable(directory: Rights, entry: Pick<Rights, "uid">): boolean {
  if (!isTrustedOwner(directory.uid)) return true;
  if (otherWriters(directory) === "nobody") return false;
  return (directory.mode & 0o1000) === 0 || !isTrustedOwner(entry.uid);
}
