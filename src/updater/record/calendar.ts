import type { Blackout } from "../../rules/decide/gate-policy.ts";
import { decode } from "../../rules/shape/read.ts";
import { count, listOf, maybe, record, text, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import type { UnixSeconds, Window } from "../../rules/window/window.ts";

/** The windows and blackouts that follow from the settings' local times. */
export type Calendar = { readonly spans: readonly Window[]; readonly blackouts: readonly Blackout[] };

const most = 4000;

/** `key` identifies the settings that the calendar was made from. */
const kept = record(
  {
    key: text(64 * 1024),
    from: count,
    until: count,
    spans: listOf(record({ start: count, stop: count }), most),
    blackouts: listOf(record({ from: count, to: count, reason: maybe(text(4095)) }), most),
  },
  { schema: 1 },
);
export type KeptCalendar = Of<typeof kept>;

/** Some hundred windows, and the blackouts of a few years. */
export const longestCalendarBytes: number = 256 * 1024;

export function encodeCalendar(calendar: KeptCalendar): string {
  return `${JSON.stringify(encode(kept, calendar))}\n`;
}

/** Gives no reason, because an unreadable calendar is simply made again. */
export function decodeCalendar(found: string): KeptCalendar | undefined {
  const decoded = decode(found, kept, "ignored");
  return decoded.kind === "read" ? decoded.value : undefined;
}

/** Long enough for the next two windows of a weekly schedule, even when the clocks change. */
const enoughSeconds: UnixSeconds = 8 * 86_400;

/** Whether it covers all that a look at this moment may need. */
export function covers({ from, until }: Pick<KeptCalendar, "from" | "until">, now: UnixSeconds): boolean {
  return from <= now && now + enoughSeconds <= until;
}
