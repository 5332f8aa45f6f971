import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../fault/fault.ts";
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

export function keysPath(root: string): string {
  return root === "/" ? "/run/svc-upgrade/yum-keys.asc" : `${root}/var/lib/svc-upgrade/yum-keys.asc`;
}

/**
 * With -y, dnf imports whatever key a repository names. So for our calls every repository names this file, with the keys that
 * rpm trusts already: a package of any other is refused, and lists that are signed by one of these can still be verified.
 */
export async function withKeysFile<T>(path: string, keys: string, work: () => Promise<T>): Promise<T> {
  write(path, keys);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function write(path: string, keys: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
    // Never through a link, and never into a file that somebody else made: what lies in it is trusted.
    writeFileSync(path, keys, { mode: 0o644, flag: "wx" });
  } catch (thrown) {
    throw new Fault("file-failed", {
      message: `${path} could not be written`,
      hint: "start the pass with `systemctl start svc-upgrade.service`, which makes its directory",
      cause: thrown,
    });
  }
}
