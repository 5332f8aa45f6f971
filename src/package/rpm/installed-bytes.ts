import type { PackageName } from "../../settings/settings.ts";
import { ended } from "../result.ts";
import { rpmEnvironment } from "./environment.ts";
import { rpmRoot, type RpmDatabase } from "./installed.ts";

/** rpm's database and the history of whoever calls it grow with each transaction, and the lists with each refresh. */
export const databaseBytes: number = 32 * 1024 * 1024;
/** rpm takes 10 ms. */
const sizeTimeoutMs = 20_000;

/** The next version is about as large; packed it is smaller by an amount that nobody knows. */
export async function installedBytes({ run, root }: RpmDatabase, name: PackageName): Promise<number> {
  const argv = ["rpm", ...rpmRoot(root), "-q", "--qf", "%{SIZE}\\n", name] as const;
  const { stdout } = ended(await run({ argv, env: rpmEnvironment, timeoutMs: sizeTimeoutMs }), argv[0]);
  return Number(/^\d+$/m.exec(stdout)?.[0] ?? 0);
}
