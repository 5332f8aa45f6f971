import type { FaultData } from "../../rules/fault/fault.ts";
import type { FaultCode } from "../../rules/fault/table.ts";
import type { PassRecord, State } from "../record/state.ts";
import { timerTrouble, type TimerTrouble } from "../unit/timer.ts";
import type { Next } from "./next.ts";
import type { Running, Observed } from "./observed.ts";

/** The first thing to know about a host. A decision says nothing if no pass runs, or if no pass gets as far as that. */
export type OverallState =
  | { readonly kind: "running"; readonly running: Running }
  | { readonly kind: "stopped"; readonly fault: FaultData }
  | { readonly kind: "off"; readonly trouble: TimerTrouble }
  /** The last pass ended in a fault, and only the next pass can find it repaired. */
  | { readonly kind: "failing"; readonly pass: PassRecord; readonly fault: FaultData; readonly at: "answer" | "elsewhere" }
  | { readonly kind: "next"; readonly next: Exclude<Next, { kind: "stop" }> };

export function standingOf({ running, units, settings }: Observed, next: Next, { passes }: State): OverallState {
  if (running !== undefined) return { kind: "running", running };
  if (next.kind === "stop") return { kind: "stopped", fault: next.fault };
  const trouble = units.kind === "units" && units.timer !== undefined ? timerTrouble(units.timer) : undefined;
  if (trouble?.kind === "off") return { kind: "off", trouble };
  const [last] = passes;
  if (last?.decision.kind !== "stop" || isOver(last.decision.fault.code)) return { kind: "next", next };
  // A pin that was set later needs no answer.
  if (last.channel !== undefined && settings?.settings.pin !== undefined) return { kind: "next", next };
  // A pass that recorded its channel had read the settings and asked.
  return { kind: "failing", pass: last, fault: last.decision.fault, at: last.channel === undefined ? "elsewhere" : "answer" };
}

/** Whether the fault concerns no other pass: an impossible rollback was asked for once. */
function isOver(code: FaultCode): boolean {
  return isSeenAnew(code) || code === "no-way-back";
}

/** Whether this look would find the fault again if it still exists. */
export function isSeenAnew(code: FaultCode): boolean {
  return seenAnew.includes(code);
}

const seenAnew: readonly FaultCode[] = [
  "settings-invalid",
  "settings-untrusted",
  "mount-untrusted",
  "endpoint-missing",
  "proxy-invalid",
  "manager-unclear",
  "package-absent",
  "package-unreadable",
];
