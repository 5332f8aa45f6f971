import { existsSync } from "node:fs";
import type { Paths } from "../files/paths.ts";

/** Whether systemd is PID 1, by its own sign. */
export function isBooted(): boolean {
  return existsSync("/run/systemd/system");
}

/** Whether this is the machine's own root, not a named one. */
export function isOwnRoot({ root }: Pick<Paths, "root">): boolean {
  return root === "/";
}
