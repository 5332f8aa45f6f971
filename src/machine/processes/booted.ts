import { existsSync } from "node:fs";
import type { Paths } from "../files/paths.ts";

/** Whether systemd is the first process, as it says itself. */
export function isBooted(): boolean {
  return existsSync("/run/systemd/system");
}

/** This machine's own, and not one that was named. */
export function isOwnRoot({ root }: Pick<Paths, "root">): boolean {
  return root === "/";
}
