import type { RunCommand } from "../../../machine/processes/command.ts";
import type { Transact } from "./transact.ts";

/** A download over a slow link takes long. After this time the manager hangs. */
const transactionTimeoutMs = 30 * 60_000;

/** Runs a call in this process, because no unit can: below another root, or without systemd. */
export function transactDirectly(run: RunCommand): Transact {
  return ({ argv, env }) => run({ argv, env, timeoutMs: transactionTimeoutMs });
}
