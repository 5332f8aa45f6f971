import { moveReasons } from "../plan/host-reasons.ts";
import { parsePackageName } from "../../rules/settings/read-text.ts";
import type { PackageName } from "../../rules/settings/settings.ts";
import { emptyOf } from "../../rules/shape/empty.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { count, listOf, maybe, number, orElse, parsed, record, text, words, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { packageVersion } from "../../rules/version/wrapped.ts";
import { holds } from "./state.ts";

/** The two of a move, and one that is on its way. */
export const mostInLedger = 3;
/** A move that takes more along than this is none of an agent's. */
export const mostCompanions = 100;
/** What is longer says no more. */
export const longestWhyNotKept = 1000;
/** What is longer was not written by us. */
export const longestLedgerBytes: number = 512 * 1024;

const word = text(256);

const packageName = parsed(parsePackageName, "the name of a package");

/** A package that moves along with the agent's. */
const companion = record({
  name: packageName,
  /** Undefined: it was not installed. */
  from: maybe(packageVersion),
  to: packageVersion,
});
export type Companion = Of<typeof companion>;

const keptFile = { packageVersion, file: word, sha256: word, bytes: count };

/** Its file at one side of the move. */
const keptCompanion = record({
  ...keptFile,
  name: packageName,
  /** What the other side of the move has in its place; undefined: nothing. */
  instead: maybe(packageVersion),
});
export type KeptCompanion = Of<typeof keptCompanion>;

/** The agent's package as it is kept, and what belongs to it. */
const keptSet = record({ ...keptFile, companions: orElse(listOf(keptCompanion, mostCompanions), []) });
export type KeptSet = Of<typeof keptSet>;

/** A move that was let past the gates, and is not known to have ended. */
const openMove = record({
  pass: word,
  /** Of the package. */
  name: word,
  from: maybe(packageVersion),
  to: packageVersion,
  why: words(moveReasons),
  since: number,
  hold: words(holds),
  companions: orElse(listOf(companion, mostCompanions), []),
});
export type OpenMove = Of<typeof openMove>;

const notKept = record({ packageVersion, why: text(longestWhyNotKept) });
export type NotKept = Of<typeof notKept>;

/** How often something was changed without the gates, since when. */
const ungated = record({ since: number, count });

/** What the acting unit believes: written by root alone, whatever the deciding unit says. */
const ledger = record(
  {
    /** The package files that are at hand without a repository, newest first. */
    kept: listOf(keptSet, mostInLedger),
    /** Why the last version that a move has left could not be kept. */
    notKept: maybe(notKept),
    move: maybe(openMove),
    /** What the last move took along: where one of these is broken, the agent is. */
    beside: orElse(listOf(packageName, mostCompanions), []),
    /** What the last move that ended well came from. */
    previous: maybe(packageVersion),
    ungated: maybe(ungated),
  },
  { schema: 1 },
);
export type Ledger = Of<typeof ledger>;

export const emptyLedger: Ledger = emptyOf(ledger);

export function encodeLedger(written: Ledger): string {
  return `${JSON.stringify(encode(ledger, written), undefined, 2)}\n`;
}

/** A later release may know more; it reads its own again once it is back. */
export function decodeLedger(found: string): Reading<Ledger> {
  return decode(found, ledger, "ignored");
}

/** Every package that was exchanged along with the agent's, in the last move and in one that is open. */
export function companionNames({ beside, move }: Pick<Ledger, "beside" | "move">): readonly PackageName[] {
  return [...new Set([...beside, ...exchangedIn(move)])];
}

/** What a move has added stays, and is nothing that the version before it needs; the one that it brings does. */
export function exchangedIn(move: OpenMove | undefined): readonly PackageName[] {
  return (move?.companions ?? []).filter(({ from }) => from !== undefined).map(({ name }) => name);
}
