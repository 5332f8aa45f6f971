import { describe, expect, test } from "vitest";
import { manualPage } from "../../../packaging/man/page.ts";
import { updater } from "../../../packaging/products/updater.ts";
import { readTime } from "../../../src/updater/cli/times/read-time.ts";
import { faultTable } from "../../../src/rules/fault/table.ts";
import { pathsBelow } from "../../../src/machine/files/paths.ts";
import { moveReasons, stayReasons } from "../../../src/updater/plan/host-reasons.ts";
import { settingsReference } from "../../../src/rules/settings/reference.ts";
import { hasGroff, rendered } from "./groff.ts";

const { commands: described } = updater;
const { more } = updater.page;
const page = manualPage(updater, { version: "1.2.3-rc.1", unixSeconds: 1_795_320_000 });

if (!hasGroff) console.warn("SKIPPED: the manual page as it is read: groff is not installed");

describe.skipIf(!hasGroff)("the manual page", () => {
  const screen = hasGroff ? rendered(page) : "";
  /** Without line breaks, to be searched. */
  const prose = screen.replaceAll(/\s+/g, " ");

  test("fits 80 columns, breaks no word, and has the sections that people look for, in their order", () => {
    const lines = screen.split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(screen).not.toContain("\u2010");
    expect(lines.filter((line) => /^[A-Z]/.test(line)).slice(1)).toEqual([
      "NAME",
      "SYNOPSIS",
      "DESCRIPTION",
      "COMMANDS",
      "OPTIONS",
      "TIMES",
      "SETTINGS",
      "SCHEDULE",
      "REASONS",
      "METRICS",
      "FILES",
      "ENVIRONMENT",
      "EXIT STATUS",
      "EXAMPLES",
      "SEE ALSO",
    ]);
  });

  test("has the version of the package and the day of the build", () => {
    expect(screen).toMatch(/^svc-upgrade 1\.2\.3-rc\.1 +2026-11-22 +SVC-UPGRADE\(8\)$/m);
  });

  test("tells every command with its argument and its options", () => {
    for (const { name, argument, options } of described) {
      const place = argument === undefined ? "" : argument.isRequired ? argument.name : `\\[${argument.name}\\]`;
      expect(screen).toMatch(new RegExp(`^ {7}${name}(?: |$)${place}`, "m"));
      for (const { flag, value } of options) expect(prose).toContain(value === undefined ? ` ${flag} ` : ` ${flag} ${value} `);
    }
    for (const word of ["pass", "ask"]) expect(screen).not.toMatch(new RegExp(`^ {7}${word}( |$)`, "m"));
  });

  test("tells every setting, reason and fault", () => {
    for (const { key } of settingsReference()) expect(screen).toMatch(new RegExp(`^ {7}${key}(?: |$)`, "m"));
    for (const why of Object.keys({ ...stayReasons, ...moveReasons })) {
      expect(screen).toMatch(new RegExp(`^ {7}${why}(?: |$)`, "m"));
    }
    for (const [code, { exit, meaning }] of Object.entries(faultTable)) {
      expect(screen).toMatch(new RegExp(`^ {14}${code}(?: |$)`, "m"));
      expect(screen).toMatch(new RegExp(`^ {7}${exit} `, "m"));
      expect(prose.toLowerCase()).toContain(`${meaning.toLowerCase()}.`);
    }
  });

  test("names every place where the program reads or writes", () => {
    const { root: _root, stateDirectory: _folder, settingsDirectories, ...files } = pathsBelow("/");
    for (const path of [...settingsDirectories, ...Object.values(files)]) {
      const folder = path.replace(/[^/]+$/, "");
      expect([prose.includes(path), prose.includes(` ${folder}`), path]).toContain(true);
    }
  });

  test("leaves no place empty that was to be filled", () => {
    expect(page).not.toMatch(/@\w+@|undefined|\[object/);
  });
});

test("nothing is added to a command or an option that there is not", () => {
  const known = described.flatMap(({ name, options }) => [name, ...options.map(({ flag }) => flag)]);
  expect(Object.keys(more).filter((name) => !known.includes(name))).toEqual([]);
});

test("the times that the page shows are understood", () => {
  const shown = /^\.SH TIMES\n([^]*?)^\.SH /m.exec(page)?.[1] ?? "";
  const times = [...shown.matchAll(/^\.TP\n\.BR? (.*)$/gm)].flatMap(([, tag = ""]) => tag.split(/ ?", " ?/));
  const plain = times.map((time) =>
    time
      .replaceAll(/\\\(dq|"/g, "")
      .replaceAll("\\-", "-")
      .trim(),
  );
  expect(plain).toHaveLength(13);
  for (const time of plain)
    expect([time, readTime(time, { now: 1_795_000_000, zone: "Europe/Berlin" })]).toEqual([time, expect.any(Number)]);
});
