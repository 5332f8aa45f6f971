import { withCallFile } from "../call-file.ts";
import { ended } from "../result.ts";
import { rpmEnvironment } from "../rpm/environment.ts";
import { rpmRoot, type RpmDatabase } from "../rpm/installed.ts";

/** rpm takes 10 ms. */
const askTimeoutMs = 20_000;

/** The keys that rpm trusts, in the form in which they are exported. */
export async function askKeys({ run, root }: RpmDatabase): Promise<string> {
  const argv = ["rpm", ...rpmRoot(root), "-q", "gpg-pubkey", "--qf", "%{DESCRIPTION}\\n"] as const;
  const { status, stdout } = ended(await run({ argv, env: rpmEnvironment, timeoutMs: askTimeoutMs }), argv[0]);
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
