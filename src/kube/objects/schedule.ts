import type { KnownSchedule } from "../../rules/decide/gate-facts.ts";
import { decode } from "../../rules/shape/read.ts";
import { listOf, record, text } from "../../rules/shape/shape.ts";
import { parseInstant, printInstant } from "../../rules/window/instant.ts";
import { scheduleAt } from "../../rules/window/schedule.ts";
import type { UnixSeconds, Window } from "../../rules/window/window.ts";

/** The Secret's key under which the agent exports its windows. */
export const scheduleKey = "agent-maintenance-schedule";

export type FoundSchedule =
  | { readonly kind: "text"; readonly text: string }
  /** Follows "no valid schedule: " in a message. */
  | { readonly kind: "missing"; readonly why: string };

const exported = record({ windows: listOf(record({ start: text(64), stop: text(64) }), 1000) });

export function scheduleIn(found: FoundSchedule, now: UnixSeconds): KnownSchedule {
  if (found.kind === "missing") return none("schedule-missing", found.why);
  const reading = decode(found.text, exported, "ignored");
  if (reading.kind === "unreadable") return none("schedule-invalid", `${scheduleKey} cannot be read: ${reading.why}`);
  const windows: Window[] = [];
  for (const [index, { start, stop }] of reading.value.windows.entries()) {
    const [from, to] = [instantIn(start), instantIn(stop)];
    if (from === undefined || to === undefined || from >= to) {
      return none("schedule-invalid", `windows[${index}] of ${scheduleKey} is not a start before a stop, each in RFC 3339`);
    }
    windows.push({ start: from, stop: to });
  }
  if (windows.length === 0) return none("schedule-empty", `${scheduleKey} holds no window`);
  const schedule = scheduleAt({ kind: "windows", windows }, now);
  if (schedule.kind !== "stale") return { kind: "windows", windows };
  return none("schedule-stale", `its last window ended at ${printInstant(schedule.endedAt)}`);
}

/** Prints an export like the agent's, which `scheduleIn` reads. */
export function printExported(windows: readonly Window[]): string {
  return JSON.stringify({
    windows: windows.map(({ start, stop }) => ({ start: printInstant(start), stop: printInstant(stop) })),
  });
}

/** Reads an instant with or without fractions of a second. */
function instantIn(written: string): UnixSeconds | undefined {
  return written.length < 20 ? undefined : parseInstant(written.replace(/(?<=:\d\d)\.\d{1,9}(?=Z|[+-])/, ""));
}

function none(why: Extract<KnownSchedule, { kind: "none" }>["why"], told: string): KnownSchedule {
  return { kind: "none", why, told: `no valid schedule: ${told}` };
}
