import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ended } from "../../../src/updater/package/call/result.ts";

/** What a real program printed, both streams together; its scratch paths read /scratch. */
export function saved(name: string): string {
  return readFileSync(join(import.meta.dirname, "saved", name), "utf8");
}

/** The same where the two streams were saved apart, as a call brings them back. */
export function savedEnded(name: string, status: number): Ended {
  const errors = `${name}.stderr.txt`;
  const stdout = existsSync(join(import.meta.dirname, "saved", `${name}.txt`)) ? saved(`${name}.txt`) : "";
  const stderr = existsSync(join(import.meta.dirname, "saved", errors)) ? saved(errors) : "";
  if (stdout === "" && stderr === "") throw new Error(`nothing was saved of ${name}`);
  return { status, stdout, output: `${stdout}\n${stderr}` };
}
