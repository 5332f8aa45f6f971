import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { encodeAsked } from "../../../src/updater/record/asked.ts";
import { readAsked, takeAsked } from "../../../src/updater/store/asked-file.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const now = 1_800_000_000;
const asked = { when: "now", absent: "install" } as const;
const byTimer = { when: "timer", absent: "stop" };

function noteAt(name: string, at: number, pass?: string): { readonly root: string; readonly asked: string } {
  const path = `${folder}/${name}`;
  writeFileSync(path, encodeAsked({ at, asked, pass }));
  return { root: "/", asked: path };
}

describe.runIf(process.getuid?.() === 0)("what root asked of a pass", () => {
  test("is nothing where there is no note, and nothing is made", () => {
    const none = { root: "/", asked: `${folder}/none` };
    expect([readAsked(none, now), takeAsked(none, "one", now)]).toEqual([byTimer, byTimer]);
    expect(existsSync(none.asked)).toBe(false);
  });

  test("is read by the pass that begins, and taken by whoever acts for it, for longer", () => {
    expect(readAsked(noteAt("fresh", now - 60), now)).toEqual({ ...asked, by: "hand" });
    expect(readAsked(noteAt("stale", now - 61), now)).toEqual(byTimer);
    expect(takeAsked(noteAt("late", now - 900), "one", now)).toEqual(asked);
    expect(takeAsked(noteAt("gone", now - 901), "one", now)).toEqual(byTimer);
  });

  test("speaks for the pass that has taken it, whichever process acts, and for no other", () => {
    const note = noteAt("taken", now);
    expect(takeAsked(note, "one", now)).toEqual(asked);
    expect(readAsked(note, now)).toEqual(byTimer);
    expect(takeAsked(note, "two", now)).toEqual(byTimer);
    expect(takeAsked(note, "one", now)).toEqual(asked);
  });

  test("is not what a link leads to", () => {
    const { asked: path } = noteAt("behind", now);
    mkdirSync(`${folder}/links`);
    symlinkSync(path, `${folder}/links/note`);
    expect(takeAsked({ root: "/", asked: `${folder}/links/note` }, "one", now)).toEqual(byTimer);
  });
});
