import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pathsBelow, type Paths } from "../../src/host/paths.ts";
import { encodeState } from "../../src/record/encode-state.ts";
import { emptyLedger, type KeptCompanion, type KeptSet, type Ledger, type OpenMove } from "../../src/record/ledger.ts";
import { emptyState, type KeptPackage, type State, type StepInHand } from "../../src/record/state.ts";
import type { PackageName } from "../../src/settings/settings.ts";
import { adoptPackage, prepareKept } from "../../src/store/kept-packages.ts";
import { checkKept, companionsIn, openMoveIn, readLedger, writeLedger } from "../../src/store/ledger-file.ts";
import { keepReserve } from "../../src/store/reserve.ts";
import { readState, writeState } from "../../src/store/state-file.ts";
import { scratchFolder } from "../host/scratch.ts";
import { packageVersion, version } from "../pass/given.ts";

const folder = scratchFolder();

function freshHost(): Paths {
  const paths = pathsBelow(mkdtempSync(`${folder}/root-`));
  mkdirSync(paths.stateDirectory, { recursive: true });
  mkdirSync(paths.rootsDirectory, { recursive: true });
  return paths;
}

const kept: KeptPackage = { packageVersion: packageVersion("15.4.5"), file: "x.deb", sha256: "a".repeat(64), bytes: 7 };
const alone: KeptSet = { ...kept, companions: [] };
const step: StepInHand = {
  pass: "pass-1",
  step: "install",
  movement: "upgrade",
  why: "window",
  startedAt: 100,
  served: version("15.4.6"),
  from: packageVersion("15.4.5"),
  to: packageVersion("15.4.6"),
  agentBefore: "running",
  changingSince: 110,
  hold: "none",
  cause: undefined,
  recoveries: 2,
  done: [],
};
const move: OpenMove = {
  pass: "pass-1",
  from: packageVersion("15.4.5"),
  to: packageVersion("15.4.6"),
  why: "window",
  since: 110,
  hold: "none",
  name: undefined,
  companions: [],
};
const ledger: Ledger = { ...emptyLedger, kept: [alone], move, previous: packageVersion("15.4.4") };

/** What another release, which knows one state and no ledger, leaves where it has it. */
function earlierRelease(paths: Paths, state: Partial<State>): void {
  writeFileSync(paths.earlierState, encodeState({ ...emptyState, ...state }));
}

function known(paths: Paths): State {
  const reading = readState(paths);
  if (reading.kind !== "state") throw new Error(reading.kind);
  return reading.state;
}

describe("the ledger", () => {
  test("is empty where nothing was written", () => {
    expect(readLedger(freshHost())).toEqual(emptyLedger);
  });

  test("gives back what was written, readable by everyone", () => {
    const paths = freshHost();
    writeLedger(paths, ledger);
    expect(readLedger(paths)).toEqual({ ...ledger, stateDigests: [expect.stringMatching(/^[\da-f]{64}$/)] });
    expect(statSync(paths.ledger).mode & 0o777).toBe(0o644);
  });

  test("begins with what a release without one has left, its move in hand among it", () => {
    const paths = freshHost();
    earlierRelease(paths, {
      kept: [kept],
      step,
      previous: { version: version("15.4.4"), packageVersion: packageVersion("15.4.4"), leftAt: 1 },
    });
    expect(readLedger(paths)).toEqual(ledger);
  });

  test("is this release's whichever of its two files was the last that a power cut let it write", () => {
    const paths = freshHost();
    writeState(paths, { ...emptyState, silentSince: 8, step });
    writeLedger(paths, ledger);
    const before = readFileSync(paths.earlierState, "utf8");
    writeState(paths, { ...emptyState, silentSince: 9, step });
    writeLedger(paths, { ...ledger, ungated: { since: 5, count: 7 } });
    for (const text of [before, readFileSync(paths.earlierState, "utf8")]) {
      writeFileSync(paths.earlierState, text);
      expect(readLedger(paths)).toMatchObject({ move, ungated: { count: 7 } });
      expect(known(paths)).toMatchObject({ silentSince: 9 });
    }
  });

  test("takes no step for a move before the package was changed", () => {
    const paths = freshHost();
    earlierRelease(paths, { step: { ...step, changingSince: undefined } });
    expect(readLedger(paths).move).toBeUndefined();
  });

  test.each([
    ["torn", '{"schema": 1, "kept"'],
    ["of another schema", '{"schema": 2, "kept": []}'],
    ["not ours", '{"schema": 1, "kept": [], "move": {"to": "--root=/"}}'],
  ])("that is %s is taken from the state beside it", (_how, text) => {
    const paths = freshHost();
    writeState(paths, { ...emptyState, step });
    writeLedger(paths, ledger);
    writeFileSync(paths.ledger, text);
    expect(readLedger(paths)).toMatchObject({ kept: [kept], move: { from: move.from, to: move.to } });
  });

  test("believes nothing of what the deciding unit says of kept packages and of the move in hand", () => {
    const paths = freshHost();
    const other = packageVersion("6.6.6");
    writeState(paths, {
      ...emptyState,
      silentSince: 7,
      kept: [{ ...kept, packageVersion: other }],
      step: { ...step, from: other, to: other },
    });
    writeLedger(paths, ledger);
    rmSync(paths.ledger);
    expect(readLedger(paths)).toMatchObject({ kept: [kept], move: { from: move.from, to: move.to } });
    expect(readFileSync(paths.earlierState, "utf8")).toContain('"silentSince": 7');
    expect(readFileSync(paths.earlierState, "utf8")).not.toContain("6.6.6");
    writeLedger(paths, { ...ledger, move: undefined });
    expect(JSON.parse(readFileSync(paths.earlierState, "utf8"))).not.toHaveProperty("step");
  });

  test("is written whatever the deciding unit has put in the place of its state", () => {
    for (const spoil of [
      (path: string) => symlinkSync("/etc/shadow", path),
      (path: string) => mkdirSync(path),
      (path: string) => writeFileSync(path, "{"),
    ]) {
      const paths = freshHost();
      spoil(paths.state);
      writeLedger(paths, ledger);
      expect(readLedger(paths)).toMatchObject({ kept: [kept], move });
    }
  });

  test("is read, or not, whatever stands in it", () => {
    const paths = freshHost();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        writeFileSync(paths.ledger, text);
        expect(readLedger(paths).kept.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

describe("what moved along", () => {
  const [libs, extra] = ["svc-ent-libs", "extra"] as PackageName[] as [PackageName, PackageName];

  /** A package and one that belongs to it, as they lie there. */
  function keptSet(paths: Paths): KeptSet {
    prepareKept(paths);
    const put = (file: string): KeptPackage => {
      writeFileSync(`${paths.keptPackages}/${file}`, `package ${file}`, { mode: 0o644 });
      return adoptPackage(paths.keptPackages, file, packageVersion("15.4.5"));
    };
    const companion: KeptCompanion = { ...put("libs.deb"), name: libs, instead: packageVersion("15.4.6") };
    return { ...put("agent.deb"), companions: [companion] };
  }

  test("is known to whoever asks for the names alone, or for the open move", () => {
    const paths = freshHost();
    expect(companionsIn(paths)).toEqual([]);
    const companions = [
      { name: libs, from: packageVersion("15.4.5"), to: packageVersion("15.4.6") },
      { name: extra, from: undefined, to: packageVersion("1.0") },
    ];
    writeLedger(paths, { ...ledger, move: { ...move, companions } });
    expect(companionsIn(paths)).toEqual([libs]);
    expect(openMoveIn(paths)?.companions).toEqual(companions);
    writeLedger(paths, { ...ledger, move: undefined, beside: [libs] });
    expect(companionsIn(paths)).toEqual([libs]);
    writeFileSync(paths.ledger, "{");
    expect(companionsIn(paths)).toEqual([]);
  });

  test("makes a kept package of no use where its own file is", () => {
    const paths = freshHost();
    const set = keptSet(paths);
    writeLedger(paths, { ...ledger, kept: [set] });
    const { companions: _along, ...itself } = set;
    expect(checkKept(paths, itself)).toEqual({ kind: "whole" });
    writeFileSync(`${paths.keptPackages}/libs.deb`, "package LIBS.deb");
    expect(checkKept(paths, itself)).toEqual({ kind: "unusable", why: "libs.deb: its content is another by now" });
    rmSync(`${paths.keptPackages}/libs.deb`);
    expect(checkKept(paths, itself)).toEqual({ kind: "unusable", why: "libs.deb: it is not there" });
    writeFileSync(`${paths.keptPackages}/agent.deb`, "package AGENT.deb");
    expect(checkKept(paths, itself)).toEqual({ kind: "unusable", why: "its content is another by now" });
  });

  test.each([
    ["torn", '{"schema": 1, "kept"'],
    ["of another schema", '{"schema": 2, "kept": []}'],
    ["empty", ""],
  ])("makes each kept package of no use where the ledger is %s: none is put back without it", (_how, text) => {
    const paths = freshHost();
    const set = keptSet(paths);
    writeLedger(paths, { ...ledger, kept: [set] });
    writeFileSync(paths.ledger, text);
    for (const one of [set, { ...set, packageVersion: packageVersion("15.4.4") }]) {
      expect(checkKept(paths, one)).toEqual({ kind: "unusable", why: "what moved along with it cannot be read" });
    }
    rmSync(paths.ledger);
    mkdirSync(paths.ledger);
    expect(checkKept(paths, set)).toMatchObject({ kind: "unusable" });
  });

  test("is not asked of another version's package, or where there is no ledger", () => {
    const paths = freshHost();
    const set = keptSet(paths);
    writeLedger(paths, { ...ledger, kept: [set] });
    rmSync(`${paths.keptPackages}/libs.deb`);
    expect(checkKept(paths, { ...set, packageVersion: packageVersion("15.4.4") })).toEqual({ kind: "whole" });
    rmSync(paths.ledger);
    expect(checkKept(paths, set)).toEqual({ kind: "whole" });
  });

  test("is nothing that a release without a ledger could take along: it is left no package that needs it", () => {
    const paths = freshHost();
    const set = keptSet(paths);
    const other: KeptSet = { ...alone, packageVersion: packageVersion("15.4.4") };
    writeState(paths, { ...emptyState, step });
    writeLedger(paths, { ...ledger, kept: [set, other] });
    expect(JSON.parse(readFileSync(paths.earlierState, "utf8"))).toMatchObject({ kept: [{ packageVersion: "15.4.4" }] });
    rmSync(paths.ledger);
    expect(readLedger(paths).kept).toEqual([other]);
  });
});

describe.runIf(process.getuid?.() === 0)("the ledger on a full disk", () => {
  test("is written in the room that was reserved for it: a rollback needs it", () => {
    const paths = freshHost();
    const disk = paths.rootsDirectory;
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk]);
    try {
      keepReserve({ root: paths.root, directory: disk });
      expect(() => writeFileSync(`${disk}/big`, Buffer.alloc(2 * 1024 * 1024))).toThrow("ENOSPC");
      writeLedger(paths, ledger);
      expect(readLedger(paths)).toMatchObject({ kept: [kept], move });
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});

describe("the state, where releases have theirs in two places", () => {
  test("is the earlier release's at the first start, and this one's from then on", () => {
    const paths = freshHost();
    earlierRelease(paths, { silentSince: 7 });
    const first = known(paths);
    expect(first).toMatchObject({ silentSince: 7 });
    writeState(paths, { ...first, silentSince: 8 });
    expect(known(paths)).toMatchObject({ silentSince: 8 });
  });

  test("is this one's after each change, which writes the other for an earlier release that is put back", () => {
    const paths = freshHost();
    writeState(paths, { ...emptyState, silentSince: 8 });
    writeLedger(paths, ledger);
    writeState(paths, { ...emptyState, silentSince: 9 });
    expect(known(paths)).toMatchObject({ silentSince: 9 });
  });

  test("is the earlier release's again once that was back, and once only", () => {
    const paths = freshHost();
    writeState(paths, { ...emptyState, silentSince: 8 });
    writeLedger(paths, ledger);
    earlierRelease(paths, { silentSince: 10 });
    const taken = known(paths);
    expect(taken).toMatchObject({ silentSince: 10 });
    writeState(paths, { ...taken, silentSince: 11 });
    expect(known(paths)).toMatchObject({ silentSince: 11 });
    expect(readLedger(paths).move).toBeUndefined();
  });

  test("is this one's beside a ledger that is damaged, or an earlier state that is", () => {
    const paths = freshHost();
    writeState(paths, { ...emptyState, silentSince: 8 });
    writeLedger(paths, ledger);
    writeFileSync(paths.ledger, "{");
    expect(known(paths)).toMatchObject({ silentSince: 8 });
    writeFileSync(paths.earlierState, "{");
    expect(known(paths)).toMatchObject({ silentSince: 8 });
    writeLedger(paths, ledger);
    writeFileSync(paths.earlierState, "{");
    expect(known(paths)).toMatchObject({ silentSince: 8 });
  });

  test("is unreadable where the earlier release's is, and there is no other", () => {
    const paths = freshHost();
    writeFileSync(paths.earlierState, "{");
    expect(readState(paths)).toEqual({ kind: "unreadable", whose: "earlier", why: "it is not JSON" });
  });

  test("is what was last written down at a change where its own file is gone", () => {
    const paths = freshHost();
    writeState(paths, { ...emptyState, silentSince: 8 });
    writeLedger(paths, ledger);
    rmSync(paths.state);
    expect(known(paths)).toMatchObject({ silentSince: 8, kept: [kept] });
  });
});
