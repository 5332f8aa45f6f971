import { createHash } from "node:crypto";
import type { Settings } from "../../rules/settings/settings.ts";

/** By this digest two units see whether they read the same settings about packages, agent and health. */
export function settingsDigest({ agent, manager, holds, health }: Settings): string {
  return createHash("sha256").update(JSON.stringify({ agent, manager, holds, health })).digest("hex");
}
