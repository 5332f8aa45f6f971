import { openDirectory, type Owner } from "../../machine/files/directory.ts";
import { nearestExisting } from "../../machine/files/unwritable.ts";
import { placing } from "./sqlite/place.ts";

/**
 * SQLite opens files by name, and the owner of a directory may exchange its entries at any time: root works there with that user's rights, so that a
 * link leads to nothing that the user could not reach. The real user stays root, so that user can neither stop nor trace this process.
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

/** The process also gives up the rights of root's group. */
const nogroup = 65_534;

function ownerOf(directory: string): Owner | undefined {
  const { foreign, close } = openDirectory(directory, { root: "/", missing: "refuse" });
  close();
  return foreign === undefined ? undefined : { uid: foreign.uid, gid: foreign.gid === 0 ? nogroup : foreign.gid };
}
