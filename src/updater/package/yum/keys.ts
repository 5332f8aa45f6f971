import { withCallFile } from "../call/call-file.ts";
import { queryRpm, type RpmDatabase } from "../rpm/installed.ts";

/** Asks for the keys that rpm trusts, in their exported form. */
export async function askKeys(database: RpmDatabase): Promise<string> {
  const { status, stdout } = await queryRpm(database, ["-q", "gpg-pubkey", "--qf", "%{DESCRIPTION}\\n"]);
  // On a host without keys, rpm says that the package of that name is not installed.
  return status === 0 ? stdout : "";
}

/**
 * Keeps a file with the keys that rpm already trusts. With -y, dnf imports any key that a repository names, so in our calls every repository names
 * this file. A package signed by another key is refused, and signed lists can still be verified. dnf splits a name at a blank or a comma.
 */
export function withKeysFile<T>(root: string, keys: string, work: (path: string) => Promise<T>): Promise<T> {
  return withCallFile(root, { onMachine: "/run/svc-upgrade/yum-keys.asc", mode: 0o644, text: keys }, work);
}
