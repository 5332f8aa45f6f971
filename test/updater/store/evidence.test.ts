import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import type { LogLevel } from "../../../src/machine/logging/log.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import type { PassRecord } from "../../../src/updater/record/state.ts";
import { keepEvidence, withEvidence } from "../../../src/updater/store/evidence.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";
import { stateWith } from "../pass/given.ts";
import { undone } from "../record/given.ts";

const paths = pathsBelow(scratchFolder());
const said: string[] = [];
const log = (level: LogLevel, sentence: string): void => void said.push(`${level}: ${sentence}`);
const pass = "0b54d9d2-7e3f-4c57-9f9b-2f1f3f2b6f11";
const file = `${paths.evidence}/0b54d9d2`;
const lines = ["svc: joining with token=3f9a", "svc.service: Failed with result 'exit-code'."];

afterEach(() => {
  said.length = 0;
  rmSync(`${paths.root}/var`, { recursive: true, force: true });
});

function keep(id: string = pass): readonly string[] {
  return keepEvidence(paths, { pass: id, lines }, log);
}

function shown(evidence: readonly string[]): readonly string[] {
  const record = { id: pass, outcome: { ...undone("unhealthy", "health"), evidence } } as unknown as PassRecord;
  const [first] = withEvidence(stateWith({ passes: [record] }), paths).passes;
  return first !== undefined && "evidence" in first.outcome ? first.outcome.evidence : [];
}

describe("what the agent's unit said last", () => {
  test("is kept in a file that not everybody may read, and only its place goes into the state", () => {
    expect(keep()).toEqual([`in ${file}`]);
    expect(readFileSync(file, "utf8")).toBe(`${lines.join("\n")}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(said).toEqual([]);
  });

  test("is shown in the place's stead to whoever may read it, in printable lines", () => {
    const evidence = keep();
    expect(shown(evidence)).toEqual(lines);
    writeFileSync(file, "one\u001b[31m\n\ntwo\n");
    expect(shown(evidence)).toEqual(["one [31m", "two"]);
  });

  test("stays the place where it cannot be read, and what is no place stays as it is", () => {
    const evidence = keep();
    rmSync(file);
    // It had to make room for others: a place where nothing lies helps nobody.
    expect(shown(evidence)).toEqual([]);
    symlinkSync("/etc/hostname", file);
    expect(shown(evidence)).toEqual(evidence);
    for (const other of [
      [],
      ["panic: no such option"],
      ["in /etc/shadow"],
      [`in ${paths.evidence}/../state.json`],
      [...evidence, "more"],
    ])
      expect(shown(other)).toEqual(other);
  });

  test("is not kept where there is nothing, nor for a name that is none, nor for ever", () => {
    expect(keepEvidence(paths, { pass, lines: [] }, log)).toEqual([]);
    expect(keep("../../../etc/cron.d/x")).toEqual([]);
    expect(existsSync(paths.evidence)).toBe(false);
    for (let age = 12; age > 0; age -= 1) {
      const id = `${String(age).padStart(8, "0")}-x`;
      keep(id);
      utimesSync(`${paths.evidence}/${id.slice(0, 8)}`, 1_700_000_000 - age, 1_700_000_000 - age);
    }
    keep();
    expect(readdirSync(paths.evidence)).toHaveLength(10);
    expect(existsSync(file)).toBe(true);
    expect(existsSync(`${paths.evidence}/00000012`)).toBe(false);
  });

  test("that cannot be kept is a warning, and breaks nothing off", () => {
    keep();
    rmSync(paths.evidence, { recursive: true });
    writeFileSync(paths.evidence, "");
    expect(keep()).toEqual([]);
    expect(said).toEqual([expect.stringMatching(/^warning: what the agent's unit said last could not be kept: /)]);
  });
});
