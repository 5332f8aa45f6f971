import { withCallFile } from "../call/call-file.ts";
import { queryRpm, type RpmDatabase } from "../rpm/installed.ts";

/** The keys that rpm trusts, in the form in which they are exported. */
export async function askKeys(database: RpmDatabase): Promise<string> {
  const { status, stdout } = await queryRpm(database, ["-q", "gpg-pubkey", "--qf", "%{DESCRIPTION}\\n"]);
  // Of a host without any it says that the package of that name is not installed.
  return status === 0 ? stdout : "";
}

/**
 * With -y, dnf imports whatever key a repository names. So for our calls every repository names this file, with the keys that
 * rpm trusts already: a package of any other is refused, and lists that are signed by one of these can still be verified. dnf takes
 * a name with a blank or a comma in it for two.
 */
export function withKeysFile<T>(root: string, keys: string, work: (path: string) => Promise<T>): Promise<T> {
  return withCallFile(root, { onMachine: "/run/svc-upgrade/yum-keys.asc", mode: 0o644, text: keys }, work);
}
