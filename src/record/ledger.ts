import { moveReasons } from "../plan/reasons.ts";
import type { MoveReason } from "../plan/decision.ts";
import type { PackageVersion } from "../version/wrapped.ts";
import type { UnixSeconds } from "../window/window.ts";
import { keptPackage } from "./decode-state.ts";
import {
  count,
  finite,
  listOf,
  literal,
  object,
  oneOf,
  orUndefined,
  packageVersion,
  readJson,
  text,
  type Reading,
} from "./read.ts";
import type { KeptPackage, State } from "./state.ts";

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
};

/** How often something was changed without the gates, since when. */
export type Ungated = { readonly since: UnixSeconds; readonly count: number };

/** What the acting unit believes: written by root alone, whatever the deciding unit says. */
export type Ledger = {
  /** The package files that are at hand without a repository, newest first. */
  readonly kept: readonly KeptPackage[];
  readonly move: OpenMove | undefined;
  /** What the last move that ended well came from. */
  readonly previous: PackageVersion | undefined;
  readonly ungated: Ungated | undefined;
  /** Of the state that lies beside it for earlier releases, as it was and as it was to become: any other was written by such a release. */
  readonly stateDigests: readonly string[];
};

export const emptyLedger: Ledger = { kept: [], move: undefined, previous: undefined, ungated: undefined, stateDigests: [] };

/** The two of a move, and one that is on its way. */
export const mostInLedger = 3;
/** What is longer was not written by us. */
export const longestLedgerBytes: number = 16 * 1024;

/** What an earlier release left: its files were written by root as well. */
export function ledgerOf({ kept, step, previous }: State): Ledger {
  return { ...emptyLedger, kept, move: openMoveOf(step), previous: previous?.packageVersion };
}

function openMoveOf(step: State["step"]): OpenMove | undefined {
  if (step?.changingSince === undefined || step.to === undefined) return undefined;
  const { pass, from, to, why, changingSince: since, hold } = step;
  return { pass, name: undefined, from, to, why, since, hold };
}

/** The state that an earlier release goes on from: what the deciding unit knows, with what is believed of it here. */
export function stateForEarlier(told: State, { kept, move }: Ledger): State {
  const { step } = told;
  if (move === undefined) return { ...told, kept, step: step?.changingSince === undefined ? step : undefined };
  const { pass, from, to, why, since: changingSince } = move;
  // What is in hand there is written down before it is asked for here.
  return step === undefined ? { ...told, kept } : { ...told, kept, step: { ...step, pass, from, to, why, changingSince } };
}

export function encodeLedger({ kept, move, previous, ungated, stateDigests }: Ledger): string {
  return `${JSON.stringify({ schema: 1, kept, move, previous, ungated, stateDigests }, undefined, 2)}\n`;
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

const openMove = object<OpenMove>(
  {
    pass: text(longestWord),
    name: orUndefined(text(longestWord)),
    from: orUndefined(packageVersion),
    to: packageVersion,
    why: oneOf(moveReasons),
    since: finite,
    hold: oneOf({ none: 0, lifted: 0 }),
  },
  others,
);

const ledger = object<Ledger & { readonly schema: 1 }>(
  {
    schema: literal(1),
    kept: listOf(keptPackage, mostInLedger),
    move: orUndefined(openMove),
    previous: orUndefined(packageVersion),
    ungated: orUndefined(object<Ungated>({ since: finite, count }, others)),
    stateDigests: listOf(text(longestWord), 2),
  },
  others,
);
