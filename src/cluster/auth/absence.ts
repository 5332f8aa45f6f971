import { count, listOf, record, type Of } from "../../rules/shape/shape.ts";
import type { Store } from "../storage/port.ts";
import { daySeconds, hourSeconds } from "../../rules/window/seconds.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { AuthLimits } from "./limits.ts";
import { put } from "./changes.ts";
import { bodyOf, findRow } from "./row-forms.ts";

/** A time in which no auth took reports, so no host counts as silent. */
export type Absence = { readonly from: UnixSeconds; readonly until: UnixSeconds };

const absence = record({ from: count, until: count });

/** Enough rows for an auth that fails again and again; the oldest are dropped. */
const mostAbsences = 100;
const keptSeconds = 90 * daySeconds;
/** How far another auth's clock may be ahead. Ignores a note from later than that: a wrong clock wrote it. */
const mostAheadSeconds = hourSeconds;

const form = record({
  /** The last time that an auth noted that it takes reports. */
  taken: count,
  absences: listOf(absence, mostAbsences),
});
type Row = Of<typeof form>;

const key = { kind: "taking-reports", name: "all" };

/** Auth notes at its start and every minute that it takes reports. A longer gap between two notes is an absence. */
export async function noteTaking(
  store: Pick<Store, "get" | "commit">,
  { now, limits: { lookMs } }: { readonly now: UnixSeconds; readonly limits: Pick<AuthLimits, "lookMs"> },
): Promise<void> {
  const found = await findRow(store, form, key);
  const last = found?.row ?? { taken: now, absences: [] };
  if (now < last.taken && last.taken - now <= mostAheadSeconds) return;
  // Allows one look to be late.
  const isMissing = now - last.taken > 1 + (2 * lookMs) / 1000;
  const all = isMissing ? [...last.absences, { from: last.taken, until: now }] : last.absences;
  const absences = all.filter(({ until }) => now - until < keptSeconds).slice(-mostAbsences);
  const row: Row = { taken: now, absences };
  // If this write is overtaken, another auth has just noted the same.
  await store.commit({ at: now, by: "auth", changes: [put(key, bodyOf(form, row), found?.item)], audit: [] });
}

export async function absencesIn(store: Pick<Store, "get">): Promise<readonly Absence[]> {
  return (await findRow(store, form, key))?.row.absences ?? [];
}
