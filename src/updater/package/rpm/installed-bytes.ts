import type { PackageName } from "../../../rules/settings/settings.ts";
import { queryRpm, type RpmDatabase } from "./installed.ts";

/** rpm's database and the manager's history grow with each transaction, the lists with each refresh. */
export const databaseBytes: number = 32 * 1024 * 1024;

/** Assumes that the next version is about as large. Its packed size is smaller, but unknown. */
export async function installedBytes(database: RpmDatabase, name: PackageName): Promise<number> {
  const { stdout } = await queryRpm(database, ["-q", "--qf", "%{SIZE}\\n", name]);
  return Number(/^\d+$/m.exec(stdout)?.[0] ?? 0);
}
