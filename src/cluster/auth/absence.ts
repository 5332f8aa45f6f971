import { count, listOf, record, type Of } from "../../rules/shape/shape.ts";
import type { Store } from "../storage/port.ts";
import { daySeconds, hourSeconds } from "../../rules/window/seconds.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { AuthLimits } from "./limits.ts";
import { put } from "./changes.ts";
import { bodyOf, findRow } from "./row-forms.ts";

/** A time in which no auth took reports: no host could report, so none was silent. */
export type Absence = { readonly from: UnixSeconds; readonly until: UnixSeconds };

const absence = record({ from: count, until: count });

/** Enough for an auth that fails again and again; of more than these the oldest are forgotten. */
const mostAbsences = 100;
const keptSeconds = 90 * daySeconds;
/** Another auth's clock may be ahead of this one. One that is further ahead was wrong, and is set right by now. */
const mostAheadSeconds = hourSeconds;

const form = record({
  /** An auth took reports until then, as far as is known. */
  taken: count,
  absences: listOf(absence, mostAbsences),
});
type Row = Of<typeof form>;

const key = { kind: "taking-reports", name: "all" };

/** At its start and with each look auth notes that it takes reports; what is missing between two notes was an absence. */
export async function noteTaking(
  store: Pick<Store, "get" | "commit">,
  { now, limits: { lookMs } }: { readonly now: UnixSeconds; readonly limits: Pick<AuthLimits, "lookMs"> },
): Promise<void> {
  const found = await findRow(store, form, key);
  const last = found?.row ?? { taken: now, absences: [] };
  if (now < last.taken && last.taken - now <= mostAheadSeconds) return;
  // One look may be late.
  const isMissing = now - last.taken > 1 + (2 * lookMs) / 1000;
  const all = isMissing ? [...last.absences, { from: last.taken, until: now }] : last.absences;
  const absences = all.filter(({ until }) => now - until < keptSeconds).slice(-mostAbsences);
  const row: Row = { taken: now, absences };
  // If it is overtaken, another auth has just noted the same.
  await store.commit({ at: now, by: "auth", changes: [put(key, bodyOf(form, row), found?.item)], audit: [] });
}

export async function absencesIn(store: Pick<Store, "get">): Promise<readonly Absence[]> {
  return (await findRow(store, form, key))?.row.absences ?? [];
}
