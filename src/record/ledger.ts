import { moveReasons } from "../plan/reasons.ts";
import type { MoveReason } from "../plan/decision.ts";
import { readPackageName } from "../settings/read-text.ts";
import type { PackageName } from "../settings/settings.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { UnixSeconds } from "../window/window.ts";
import {
  count,
  finite,
  listOf,
  literal,
  object,
  oneOf,
  orElse,
  orUndefined,
  packageVersion,
  parsed,
  readJson,
  text,
  type Reading,
} from "./read.ts";
import type { KeptPackage, State } from "./state.ts";

/** A package that moves along with the agent's. */
export type Companion = {
  readonly name: PackageName;
  /** Undefined: it was not installed. */
  readonly from: PackageVersion | undefined;
  readonly to: PackageVersion;
};

/** Its file at one side of the move. */
export type KeptCompanion = KeptPackage & {
  readonly name: PackageName;
  /** What the other side of the move has in its place; undefined: nothing. */
  readonly instead: PackageVersion | undefined;
};

/** The agent's package as it is kept, and what belongs to it. */
export type KeptSet = KeptPackage & { readonly companions: readonly KeptCompanion[] };

/** A move that was let past the gates, and is not known to have ended. */
export type OpenMove = {
  readonly pass: string;
  /** Of the package; an earlier release did not write it down. */
  readonly name: string | undefined;
  readonly from: PackageVersion | undefined;
  readonly to: PackageVersion;
  readonly why: MoveReason;
  readonly since: UnixSeconds;
  /** "lifted": an admin's hold on the package was overridden, and is put back afterwards. */
  readonly hold: "none" | "lifted";
  readonly companions: readonly Companion[];
};

/** How often something was changed without the gates, since when. */
export type Ungated = { readonly since: UnixSeconds; readonly count: number };

export type NotKept = { readonly packageVersion: PackageVersion; readonly why: string };

/** What the acting unit believes: written by root alone, whatever the deciding unit says. */
export type Ledger = {
  /** The package files that are at hand without a repository, newest first. */
  readonly kept: readonly KeptSet[];
  readonly move: OpenMove | undefined;
  /** Why the last version that a move has left could not be kept. */
  readonly notKept: NotKept | undefined;
  /** What the last move took along: where one of these is broken, the agent is. */
  readonly beside: readonly PackageName[];
  /** What the last move that ended well came from. */
  readonly previous: PackageVersion | undefined;
  readonly ungated: Ungated | undefined;
  /** Of the state that lies beside it for earlier releases, as it was and as it was to become: any other was written by such a release. */
  readonly stateDigests: readonly string[];
};

export const emptyLedger: Ledger = {
  kept: [],
  notKept: undefined,
  move: undefined,
  beside: [],
  previous: undefined,
  ungated: undefined,
  stateDigests: [],
};

/** The two of a move, and one that is on its way. */
export const mostInLedger = 3;
/** A move that takes more along than this is none of an agent's. */
export const mostCompanions = 100;
/** What is longer was not written by us. */
export const longestLedgerBytes: number = 512 * 1024;

/** What an earlier release left: its files were written by root as well. */
export function ledgerOf({ kept, step, previous }: State): Ledger {
  return { ...emptyLedger, kept: kept.map(alone), move: openMoveOf(step), previous: previous?.packageVersion };
}

function alone(kept: KeptPackage): KeptSet {
  return { ...kept, companions: [] };
}

function openMoveOf(step: State["step"]): OpenMove | undefined {
  if (step?.changingSince === undefined || step.to === undefined) return undefined;
  const { pass, from, to, why, changingSince: since, hold } = step;
  return { pass, name: undefined, from, to, why, since, hold, companions: [] };
}

/** The state that an earlier release goes on from: what the deciding unit knows, with what is believed of it here. */
export function stateForEarlier(told: State, { kept: sets, move }: Ledger): State {
  const { step } = told;
  // It would put the agent's package back alone.
  const kept = sets.filter(({ companions }) => companions.length === 0).map(({ companions: _none, ...one }) => one);
  if (move === undefined) return { ...told, kept, step: step?.changingSince === undefined ? step : undefined };
  const { pass, from, to, why, since: changingSince } = move;
  // What is in hand there is written down before it is asked for here.
  return step === undefined ? { ...told, kept } : { ...told, kept, step: { ...step, pass, from, to, why, changingSince } };
}

/** Every package that was exchanged along with the agent's, in the last move and in one that is open. */
export function companionNames({ beside, move }: Pick<Ledger, "beside" | "move">): readonly PackageName[] {
  return [...new Set([...beside, ...exchangedIn(move)])];
}

/** What a move has added stays, and is nothing that the version before it needs; the one that it brings does. */
export function exchangedIn(move: OpenMove | undefined): readonly PackageName[] {
  return (move?.companions ?? []).filter(({ from }) => from !== undefined).map(({ name }) => name);
}

/** What is longer says no more. */
export const longestWhyNotKept = 1000;

export function encodeLedger({ kept, notKept, move, beside, previous, ungated, stateDigests }: Ledger): string {
  return `${JSON.stringify({ schema: 1, kept, notKept, move, beside, previous, ungated, stateDigests }, undefined, 2)}\n`;
}

export function decodeLedger(found: string): Reading<Ledger> {
  return readJson(found, (value, at) => {
    const { schema: _schema, ...read } = ledger(value, at);
    return read;
  });
}

const longestWord = 256;
/** A later release may know more; it reads its own again once it is back. */
const others = { unknown: "ignored" } as const;

const packageName = parsed<PackageName>((found) => {
  const reading = readPackageName(found);
  return reading.kind === "value" ? reading.value : undefined;
}, "the name of a package");

const companion = object<Companion>({ name: packageName, from: orUndefined(packageVersion), to: packageVersion }, others);

const keptFile = { packageVersion, file: text(longestWord), sha256: text(longestWord), bytes: count };
const keptCompanion = object<KeptCompanion>({ ...keptFile, name: packageName, instead: orUndefined(packageVersion) }, others);
const keptSet = object<KeptSet>({ ...keptFile, companions: orElse(listOf(keptCompanion, mostCompanions), []) }, others);

const openMove = object<OpenMove>(
  {
    pass: text(longestWord),
    name: orUndefined(text(longestWord)),
    from: orUndefined(packageVersion),
    to: packageVersion,
    why: oneOf(moveReasons),
    since: finite,
    hold: oneOf({ none: 0, lifted: 0 }),
    companions: orElse(listOf(companion, mostCompanions), []),
  },
  others,
);

const ledger = object<Ledger & { readonly schema: 1 }>(
  {
    schema: literal(1),
    kept: listOf(keptSet, mostInLedger),
    notKept: orUndefined(object<NotKept>({ packageVersion, why: text(longestWhyNotKept) }, others)),
    move: orUndefined(openMove),
    beside: orElse(listOf(packageName, mostCompanions), []),
    previous: orUndefined(packageVersion),
    ungated: orUndefined(object<Ungated>({ since: finite, count }, others)),
    stateDigests: listOf(text(longestWord), 2),
  },
  others,
);
