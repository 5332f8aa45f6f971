import { createHash } from "node:crypto";
import type { Settings } from "../../rules/settings/settings.ts";

/** A digest by which the acting and the deciding unit see whether they read the same settings. */
export function settingsDigest({ agent, manager, holds, health }: Settings): string {
  return createHash("sha256").update(JSON.stringify({ agent, manager, holds, health })).digest("hex");
}
