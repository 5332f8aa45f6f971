import type { PackageName } from "../../../rules/settings/settings.ts";
import { queryRpm, type RpmDatabase } from "./installed.ts";

/** rpm's database and the history of whoever calls it grow with each transaction, and the lists with each refresh. */
export const databaseBytes: number = 32 * 1024 * 1024;

/** The next version is about as large; packed it is smaller by an amount that nobody knows. */
export async function installedBytes(database: RpmDatabase, name: PackageName): Promise<number> {
  const { stdout } = await queryRpm(database, ["-q", "--qf", "%{SIZE}\\n", name]);
  return Number(/^\d+$/m.exec(stdout)?.[0] ?? 0);
}
