import { answered } from "../objects/advance.ts";
import { isNews, nextKept, wordsOf, type Kept } from "../objects/record.ts";
import type { StoredRecord } from "../objects/stored.ts";
import { act, giveBack, type GivenBack } from "./carry-out-step.ts";
import type { Before, LookScope } from "./look-scope.ts";
import type { Weighed } from "./weigh.ts";
import { writeRecord, type NotWritten } from "./write.ts";

/** What a look has done. */
export type Done = {
  readonly kept: Kept;
  /** The record as it is now, or why this look's was not written. */
  readonly wrote: StoredRecord | undefined | NotWritten;
  readonly givenBack: GivenBack | undefined;
};

/** Writes the record, makes the recorded change, and gives the image's field back. */
export async function carryOut(weighed: Weighed, { seen, memory }: Before, scope: LookScope): Promise<Done> {
  const { reading, before, left, givingBack } = weighed;
  const { record } = seen;
  const kept = nextKept(before, left);
  const isDue = record?.isWiped === true || scope.sights.isUnsure() || isNews(before, kept);
  const isWritten = isDue && reading.kind !== "unreadable" && seen.blind?.record !== "unknown";
  // Leaves a record that it cannot read for a release that can. The status beside it tells people.
  const isStale = reading.kind === "unreadable" && memory?.words !== wordsOf(left.decision);
  if (isStale && record !== undefined) await writeRecord(kept, record, { ...scope, what: "status" });
  if (record?.isWiped === true) scope.log("warning", "the record was wiped, and is written again", { object: scope.object.name });
  const done = await change(weighed, { kept, wrote: isWritten ? await keep(kept, record, scope) : record }, scope);
  // Keeps our entry in managedFields until the end of the move is written, because the entry protects the image.
  const isGivenBack = typeof done.wrote !== "string" && givingBack !== undefined;
  return { ...done, givenBack: isGivenBack ? await giveBack(givingBack, scope) : undefined };
}

type Written = Pick<Done, "kept" | "wrote">;

/** Makes the recorded change after the record is written, then writes the answer too. */
async function change({ now, policy, taken, left }: Weighed, written: Written, scope: LookScope): Promise<Written> {
  const { kept, wrote } = written;
  const { standing } = left;
  if (typeof wrote === "string" || taken?.change === undefined || standing.move === undefined) return written;
  const answer = await act(taken.change, scope);
  if (answer === undefined) return written;
  const { container } = policy.object;
  const after = nextKept(kept, { ...left, standing: answered({ ...standing, move: standing.move }, answer, { now, container }) });
  return { kept: after, wrote: await keep(after, wrote, scope) };
}

/** Writes the record over the one that was seen, and remembers what is stored now. */
async function keep(kept: Kept, before: StoredRecord | undefined, scope: LookScope): Promise<StoredRecord | NotWritten> {
  const wrote = await writeRecord(kept, before, scope);
  if (typeof wrote !== "string") scope.sights.wrote(wrote);
  else if (wrote !== "failed") scope.sights[wrote]();
  return wrote;
}
