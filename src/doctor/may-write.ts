import type { Account } from "../host/account.ts";
import type { Looked } from "./look-at.ts";

type Rights = Pick<Looked, "uid" | "gid" | "mode">;

const toWrite = 2;
const toPass = 1;

/** A file is written in its place; one that is not there has to be made in its directory. */
export function mayWrite(account: Account, file: Rights | "missing", directory: Rights | "missing"): boolean {
  if (account.uid === 0) return true;
  if (directory === "missing") return false;
  if (file === "missing") return hasRights(account, directory, toWrite | toPass);
  return hasRights(account, directory, toPass) && hasRights(account, file, toWrite);
}

/** A directory whose files only their owners may remove is not open to all. */
export function mayEverybodyWrite({ mode }: Pick<Rights, "mode">): boolean {
  return (mode & 0o1002) === toWrite;
}

/** The owner's rights, else the group's, else everybody's: whoever owns a file is not helped by what others may. */
function hasRights({ uid, gids }: Account, { uid: owner, gid: group, mode }: Rights, wanted: number): boolean {
  const shift = owner === uid ? 6 : gids.includes(group) ? 3 : 0;
  return ((mode >> shift) & wanted) === wanted;
}
