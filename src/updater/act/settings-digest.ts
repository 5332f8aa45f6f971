import { createHash } from "node:crypto";
import type { Settings } from "../../rules/settings/settings.ts";

/** By it two units see whether they read the same of what is done to which package and unit. */
export function settingsDigest({ agent, manager, holds, health }: Settings): string {
  return createHash("sha256").update(JSON.stringify({ agent, manager, holds, health })).digest("hex");
}
