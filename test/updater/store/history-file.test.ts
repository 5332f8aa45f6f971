import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { addEntry, emptyHistory, type Entry } from "../../../src/updater/record/history.ts";
import { openHistory, readHistory, type HistoryPlace } from "../../../src/updater/store/history-file.ts";
import { scratchFolder } from "../../machine/files/scratch.ts";

const folder = scratchFolder();
const lost: Entry = { kind: "notice-lost", at: 1, event: "moved", why: "no route", count: 1, firstAt: undefined };

function opened(name: string) {
  const directory = `${folder}/${name}`;
  mkdirSync(directory);
  const place: HistoryPlace = { root: "/", history: `${directory}/history.json` };
  const lines: string[] = [];
  const change = openHistory(place, { log: (level, sentence) => lines.push(`${level}: ${sentence}`), readNow: () => 1234 });
  return { directory, place, lines, change };
}

describe("the history's file", () => {
  test("is empty where nothing was moved yet, and looking makes none", () => {
    const { directory, place } = opened("none");
    expect(readHistory(place)).toEqual({ kind: "history", history: emptyHistory });
    expect(readdirSync(directory)).toEqual([]);
  });

  test("gives back what was put in, readable by everyone", () => {
    const { place, change, lines } = opened("some");
    change((before) => addEntry(before, lost));
    change((before) => addEntry(before, { ...lost, event: "undone" }));
    expect(readHistory(place)).toEqual({ kind: "history", history: { entries: [{ ...lost, event: "undone" }, lost] } });
    expect(statSync(place.history).mode & 0o777).toBe(0o644);
    expect(lines).toEqual([]);
  });

  test("is not written again where nothing is new", () => {
    const { place, change } = opened("same");
    change((before) => addEntry(before, lost));
    const { ino } = statSync(place.history);
    change((before) => before);
    expect(statSync(place.history).ino).toBe(ino);
  });

  test.each([
    ["torn", '{\n  "schema": 1,\n  "entr', "it is not JSON"],
    ["of another schema", '{"schema": 2}', "schema is not 1"],
    ["too large", " ".repeat(256 * 1024 + 1), "it is larger than 262144 bytes"],
  ])("is put aside and told when it is %s, and another one begins", (name, text, why) => {
    const { place, change, lines, directory } = opened(name);
    writeFileSync(place.history, text);
    expect(readHistory(place)).toEqual({ kind: "unreadable", why });
    change((before) => addEntry(before, lost));
    const aside = `${place.history}.unreadable-1234`;
    expect(lines).toEqual([`warning: the history was unreadable (${why}) and lies now at ${aside}`]);
    expect(readFileSync(aside, "utf8")).toBe(text);
    expect(readHistory(place)).toEqual({ kind: "history", history: { entries: [lost] } });
    expect(readdirSync(directory).toSorted()).toEqual(["history.json", "history.json.unreadable-1234"]);
  });

  test("that cannot be written ends no pass, and is told once", () => {
    const { directory, change, lines } = opened("full");
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8k", "history", directory]);
    try {
      execFileSync("sh", ["-c", `cat /dev/zero > ${directory}/filler 2>/dev/null || true`]);
      for (let times = 0; times < 3; times += 1) change((before) => addEntry(before, { ...lost, event: "e".repeat(200) }));
      expect(lines).toEqual([
        expect.stringMatching(
          /^warning: the history does not have what this pass did: .*no space left.*; free space there: `df -h /,
        ),
      ]);
      expect(readdirSync(directory)).toEqual(["filler"]);
    } finally {
      execFileSync("umount", [directory]);
    }
  });
});
