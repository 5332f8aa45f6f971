import type { Served } from "../channel/answer.ts";
import { whyBlocked } from "./blocked.ts";
import type { HostEvidence, UpdaterSaid } from "./host-evidence.ts";
import { namesTarget } from "./names-target.ts";
import type { Status } from "./status.ts";

/** How many hosts at the target would go back after an undo, and how many would not. */
export type Undoing = {
  readonly back: number;
  readonly stay: number;
  /** Their reports do not say whether they allow a downgrade. */
  readonly unsaid: number;
};

/** Predicts an undo. Leaves out hosts at another version, which need not move. */
export function undoingOf({ target, from }: Pick<Status, "target" | "from">, hosts: readonly HostEvidence[]): Undoing {
  const isTarget = namesTarget(target);
  const found = { back: 0, stay: 0, unsaid: 0 };
  for (const { updater } of hosts) {
    if (updater !== undefined && isTarget(updater.installed)) found[fateOf(updater, from)] += 1;
  }
  return found;
}

function fateOf(updater: UpdaterSaid, from: Served): keyof Undoing {
  if (from.kind === "none" || updater.downgrade === "refuse") return "stay";
  if (whyBlocked(updater, namesTarget(from.version)) !== undefined) return "stay";
  return updater.downgrade === "allow" ? "back" : "unsaid";
}
