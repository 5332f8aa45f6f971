import { openDirectory, type Owner } from "../../machine/files/directory.ts";
import { nearestExisting } from "../../machine/files/unwritable.ts";
import { placing } from "./sqlite/place.ts";

/**
 * Runs the work with the rights of a directory's owner. SQLite opens files by name, and the owner may exchange them at any time: so a link leads root
 * to nothing that the owner could not reach. The real user stays root, so the owner can neither stop nor trace this process.
 */
export async function asOwner<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const { setgroups, setegid, seteuid } = process;
  const owner = process.geteuid?.() === 0 ? ownerOf(nearestExisting(directory)) : undefined;
  if (owner === undefined || setgroups === undefined || setegid === undefined || seteuid === undefined) return work();
  const [group, groups] = [process.getegid?.() ?? 0, process.getgroups?.() ?? []];
  placing(directory, () => {
    setgroups([owner.gid]);
    setegid(owner.gid);
    seteuid(owner.uid);
  });
  try {
    return await work();
  } finally {
    seteuid(0);
    setegid(group);
    setgroups(groups);
  }
}

/** A group without rights, in place of root's. */
const nogroup = 65_534;

function ownerOf(directory: string): Owner | undefined {
  const { foreign, close } = openDirectory(directory, { root: "/", missing: "refuse" });
  close();
  return foreign === undefined ? undefined : { uid: foreign.uid, gid: foreign.gid === 0 ? nogroup : foreign.gid };
}
