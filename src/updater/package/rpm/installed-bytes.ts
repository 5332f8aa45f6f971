import type { PackageName } from "../../../rules/settings/settings.ts";
import { queryRpm, type RpmDatabase } from "./installed.ts";

/** Enough: rpm's database and the manager's history grow with each transaction, and the lists with each refresh. */
export const databaseBytes: number = 32 * 1024 * 1024;

/** The size of the installed package. The next version is about as large; its packed size is smaller, but unknown. */
export async function installedBytes(database: RpmDatabase, name: PackageName): Promise<number> {
  const { stdout } = await queryRpm(database, ["-q", "--qf", "%{SIZE}\\n", name]);
  return Number(/^\d+$/m.exec(stdout)?.[0] ?? 0);
}
