import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { moveReasons } from "../../../src/updater/plan/host-reasons.ts";
import type { MoveReason } from "../../../src/updater/plan/host-decision.ts";
import {
  companionNames,
  decodeLedger,
  emptyLedger,
  encodeLedger,
  exchangedIn,
  longestLedgerBytes,
  longestWhyNotKept,
  mostCompanions,
  mostInLedger,
  type Companion,
  type KeptCompanion,
  type KeptSet,
  type Ledger,
  type OpenMove,
} from "../../../src/updater/record/ledger.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../src/rules/version/wrapped.ts";
import { packageVersion } from "./arbitrary.ts";

const [libs, data, extra] = ["svc-ent-libs", "svc-ent-data", "extra"] as PackageName[] as [PackageName, PackageName, PackageName];
const [old, wanted] = ["15.4.5", "15.4.6"] as PackageVersion[] as [PackageVersion, PackageVersion];

const name: fc.Arbitrary<PackageName> = fc.stringMatching(/^[a-z][a-z0-9+._-]{0,20}$/).map((text) => text as PackageName);
const keptFile = { packageVersion, file: fc.string({ maxLength: 40 }), sha256: fc.string({ maxLength: 64 }), bytes: fc.nat() };
const optional = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });

const keptSet = fc.record<KeptSet>({
  ...keptFile,
  companions: fc.array(fc.record<KeptCompanion>({ ...keptFile, name, instead: optional(packageVersion) }), { maxLength: 5 }),
});
const openMove = fc.record<OpenMove>({
  pass: fc.string({ maxLength: 40 }),
  name,
  from: optional(packageVersion),
  to: packageVersion,
  why: fc.constantFrom(...(Object.keys(moveReasons) as MoveReason[])),
  since: fc.integer(),
  hold: fc.constantFrom("none", "lifted"),
  companions: fc.array(fc.record<Companion>({ name, from: optional(packageVersion), to: packageVersion }), { maxLength: 5 }),
});
const ledger = fc.record<Ledger>({
  kept: fc.array(keptSet, { maxLength: mostInLedger }),
  notKept: optional(fc.record({ packageVersion, why: fc.string({ maxLength: longestWhyNotKept }) })),
  move: optional(openMove),
  beside: fc.array(name, { maxLength: 5 }),
  previous: optional(packageVersion),
  ungated: optional(fc.record({ since: fc.integer(), count: fc.nat() })),
});

function kept(version: PackageVersion, more: Partial<KeptSet> = {}): KeptSet {
  return { packageVersion: version, file: `svc-ent_${version}.deb`, sha256: "a".repeat(64), bytes: 7, companions: [], ...more };
}

const along: KeptCompanion = {
  name: libs,
  packageVersion: wanted,
  instead: old,
  file: `svc-ent-libs_${wanted}.deb`,
  sha256: "b".repeat(64),
  bytes: 8,
};

const move: OpenMove = {
  pass: "pass-1",
  name: "svc-ent",
  from: old,
  to: wanted,
  why: "window",
  since: 110,
  hold: "none",
  companions: [
    { name: libs, from: old, to: wanted },
    { name: extra, from: undefined, to: wanted },
  ],
};

/** As it was written, without what one of its keys says. */
function written(of: Ledger): Record<string, unknown> {
  return JSON.parse(encodeLedger(of)) as Record<string, unknown>;
}

describe("the ledger", () => {
  test("is read as it was written", () => {
    fc.assert(
      fc.property(ledger, (any) => {
        expect(decodeLedger(encodeLedger(any))).toEqual({ kind: "read", value: any });
      }),
    );
  });

  test("of a release that knew of no companions is one without any", () => {
    const { companions: _kept, ...alone } = kept(wanted);
    const { companions: _moved, ...movedAlone } = move;
    const { beside: _beside, ...rest } = written(emptyLedger);
    const reading = decodeLedger(JSON.stringify({ ...rest, kept: [alone], move: movedAlone }));
    expect(reading).toMatchObject({
      kind: "read",
      value: { kept: [{ ...alone, companions: [] }], move: { ...movedAlone, companions: [] }, beside: [] },
    });
  });

  test.each<[what: string, spoilt: (full: Ledger) => object]>([
    ["an option of a program as the name of a companion", ({ kept: sets }) => ({ kept: changed(sets, { name: "--force" }) })],
    [
      "an option in the place of the other side's version",
      ({ kept: sets }) => ({ kept: changed(sets, { instead: "--root=/" }) }),
    ],
    ["a companion of the move that goes nowhere", () => ({ move: { ...move, companions: [{ name: libs }] } })],
    ["too many companions in a set", () => ({ kept: [kept(wanted, { companions: times(mostCompanions + 1, along) })] })],
    ["a fourth set", () => ({ kept: times(mostInLedger + 1, kept(wanted)) })],
  ])("with %s is not read", (_what, spoilt) => {
    const full = { ...emptyLedger, kept: [kept(wanted, { companions: [along] })], move, beside: [libs] };
    expect(decodeLedger(JSON.stringify({ ...written(full), ...spoilt(full) }))).toMatchObject({ kind: "unreadable" });
  });

  test("is within its bound with all that it may hold", () => {
    const [longName, longVersion] = ["n".repeat(128) as PackageName, `1${"0".repeat(253)}-1` as PackageVersion];
    const file = { packageVersion: longVersion, file: "f".repeat(256), sha256: "a".repeat(64), bytes: Number.MAX_SAFE_INTEGER };
    const companions = times(mostCompanions, { ...file, name: longName, instead: longVersion });
    const fullest: Ledger = {
      kept: times(mostInLedger, { ...file, companions }),
      notKept: { packageVersion: longVersion, why: "w".repeat(longestWhyNotKept) },
      move: { ...move, companions: times(mostCompanions, { name: longName, from: longVersion, to: longVersion }) },
      beside: times(mostCompanions, longName),
      previous: longVersion,
      ungated: { since: 1_800_000_000, count: 100 },
    };
    expect(Buffer.byteLength(encodeLedger(fullest))).toBeLessThanOrEqual(longestLedgerBytes);
  });
});

function changed(sets: readonly KeptSet[], more: object): object[] {
  return sets.map((set) => ({ ...set, companions: set.companions.map((one) => ({ ...one, ...more })) }));
}

function times<T>(count: number, of: T): T[] {
  return Array.from({ length: count }, () => of);
}

describe("the names of what moves along", () => {
  test("are those of the last move and of the one that is open, each once, and not what is added", () => {
    expect(companionNames({ beside: [data, libs], move })).toEqual([data, libs]);
    expect(companionNames({ beside: [], move })).toEqual([libs]);
    expect(companionNames({ beside: [data], move: undefined })).toEqual([data]);
  });

  test("are none where no move is open", () => {
    expect(exchangedIn(undefined)).toEqual([]);
    expect(exchangedIn(move)).toEqual([libs]);
  });
});
