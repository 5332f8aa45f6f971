import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { pathsBelow, type Paths } from "../../../src/machine/files/paths.ts";
import { emptyLedger, type KeptCompanion, type KeptSet, type Ledger, type OpenMove } from "../../../src/updater/record/ledger.ts";
import type { KeptPackage } from "../../../src/updater/record/state.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { adoptPackage, prepareKept } from "../../../src/updater/store/kept-packages.ts";
import { checkKept, companionsIn, openMoveIn, readLedger, writeLedger } from "../../../src/updater/store/ledger-file.ts";
import { keepReserve } from "../../../src/updater/store/reserve.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { packageVersion } from "../pass/given.ts";

const folder = scratchFolder();

function freshHost(): Paths {
  const paths = pathsBelow(mkdtempSync(`${folder}/root-`));
  mkdirSync(paths.stateDirectory, { recursive: true });
  mkdirSync(paths.rootsDirectory, { recursive: true });
  return paths;
}

const kept: KeptPackage = { packageVersion: packageVersion("15.4.5"), file: "x.deb", sha256: "a".repeat(64), bytes: 7 };
const alone: KeptSet = { ...kept, companions: [] };
const move: OpenMove = {
  pass: "pass-1",
  from: packageVersion("15.4.5"),
  to: packageVersion("15.4.6"),
  why: "window",
  since: 110,
  hold: "none",
  name: "svc-ent",
  companions: [],
};
const ledger: Ledger = { ...emptyLedger, kept: [alone], move, previous: packageVersion("15.4.4") };

describe("the ledger", () => {
  test("is empty where nothing was written", () => {
    expect(readLedger(freshHost())).toEqual(emptyLedger);
  });

  test("gives back what was written, readable by everyone", () => {
    const paths = freshHost();
    writeLedger(paths, ledger);
    expect(readLedger(paths)).toEqual(ledger);
    expect(statSync(paths.ledger).mode & 0o777).toBe(0o644);
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
