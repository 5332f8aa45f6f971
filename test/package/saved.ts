import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a real program printed, both streams together; its scratch paths read /scratch. */
export function saved(name: string): string {
  return readFileSync(join(import.meta.dirname, "saved", name), "utf8");
}
