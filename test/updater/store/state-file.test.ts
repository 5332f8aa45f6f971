import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emptyState } from "../../../src/updater/record/state.ts";
import { moveAside, readState, writeState, type StatePaths } from "../../../src/updater/store/state-file.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const at = (state: string): StatePaths => ({
  root: "/",
  state,
  stateDirectory: folder,
});

describe("the state file", () => {
  test("is empty where nothing was ever written", () => {
    expect(readState(at(`${folder}/none`))).toEqual({ kind: "state", state: emptyState });
  });

  test("gives back what was written, readable by everyone", () => {
    const path = `${folder}/state.json`;
    const state = { ...emptyState, silentSince: 7, moveSeconds: [1, 2] };
    writeState(at(path), state);
    expect(readState(at(path))).toEqual({ kind: "state", state });
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  test.each([
    ["of another schema", '{"schema": 2}', "schema is not 1"],
    ["too large", " ".repeat(512 * 1024 + 1), "it is larger than 524288 bytes"],
  ])("is unreadable when it is %s, and looking at it changes nothing", (name, text, why) => {
    const path = `${folder}/${name}`;
    writeFileSync(path, text);
    expect(readState(at(path))).toEqual({ kind: "unreadable", why });
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("is unreadable as a link or a pipe", () => {
    symlinkSync("state.json", `${folder}/link`);
    execFileSync("mkfifo", [`${folder}/pipe`]);
    expect(readState(at(`${folder}/link`))).toEqual({ kind: "unreadable", why: "it is a symbolic link" });
    expect(readState(at(`${folder}/pipe`))).toEqual({ kind: "unreadable", why: "it is a named pipe" });
  });

  test("is moved aside whole, and a new one can begin", () => {
    const path = `${folder}/aside`;
    writeFileSync(path, "broken");
    expect(moveAside(path, at(path), 1234)).toBe(`${path}.unreadable-1234`);
    expect(readFileSync(`${path}.unreadable-1234`, "utf8")).toBe("broken");
    writeState(at(path), emptyState);
    expect(readdirSync(folder).filter((name) => name.startsWith("aside"))).toEqual(["aside", "aside.unreadable-1234"]);
  });

  test("that cannot be moved aside is a fault that says where it was to go", () => {
    expect(() => moveAside(`${folder}/missing`, at(`${folder}/missing`), 5)).toThrow(
      `could not be moved to ${folder}/missing.unreadable-5`,
    );
  });
});
