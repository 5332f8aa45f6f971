import { moveReasons } from "../plan/host-reasons.ts";
import { parsePackageName } from "../../rules/settings/read-text.ts";
import type { PackageName } from "../../rules/settings/settings.ts";
import { emptyOf } from "../../rules/shape/empty.ts";
import { decode, type Reading } from "../../rules/shape/read.ts";
import { count, listOf, maybe, number, orElse, parsed, record, text, words, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import { packageVersion } from "../../rules/version/wrapped.ts";
import { holds } from "./state.ts";

/** A move has two versions, and a third may be on its way. */
export const mostInLedger = 3;
/** More packages than a move of an agent takes along. */
export const mostCompanions = 100;
/** A longer reason adds nothing. */
export const longestWhyNotKept = 1000;
/** A limit that no ledger of ours reaches. */
export const longestLedgerBytes: number = 512 * 1024;

const word = text(256);

const packageName = parsed(parsePackageName, "the name of a package");

/** A package that moves along with the agent's. */
const companion = record({
  name: packageName,
  /** Undefined if it was not installed. */
  from: maybe(packageVersion),
  to: packageVersion,
});
export type Companion = Of<typeof companion>;

const keptFile = { packageVersion, file: word, sha256: word, bytes: count };

/** A companion's file at one side of the move. */
const keptCompanion = record({
  ...keptFile,
  name: packageName,
  /** The companion's version at the other side of the move; undefined if it does not exist there. */
  instead: maybe(packageVersion),
});
export type KeptCompanion = Of<typeof keptCompanion>;

/** The agent's kept package and the packages that belong to it. */
const keptSet = record({ ...keptFile, companions: orElse(listOf(keptCompanion, mostCompanions), []) });
export type KeptSet = Of<typeof keptSet>;

/** A move that passed the gates and has not been recorded as ended. */
const openMove = record({
  pass: word,
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

/** How many changes were made without the gates, and since when. */
const ungated = record({ since: number, count });

/** What the acting unit believes. Only root writes it, and nothing that the deciding unit says changes it. */
const ledger = record(
  {
    /** The package files that are kept on this host, newest first. */
    kept: listOf(keptSet, mostInLedger),
    /** Why the version before the last move could not be kept. */
    notKept: maybe(notKept),
    move: maybe(openMove),
    /** The packages that the last move took along: if one is broken, so is the agent. */
    beside: orElse(listOf(packageName, mostCompanions), []),
    /** The version before the last successful move. */
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

/** Drops keys of a later release, which writes its own again when it comes back. */
export function decodeLedger(found: string): Reading<Ledger> {
  return decode(found, ledger, "ignored");
}

/** Every package that moved along with the agent's, in the last move and in an open one. */
export function companionNames({ beside, move }: Pick<Ledger, "beside" | "move">): readonly PackageName[] {
  return [...new Set([...beside, ...exchangedIn(move)])];
}

/** The packages that the move replaced, which the version before needs. It does not need those that the move added. */
export function exchangedIn(move: OpenMove | undefined): readonly PackageName[] {
  return (move?.companions ?? []).filter(({ from }) => from !== undefined).map(({ name }) => name);
}
