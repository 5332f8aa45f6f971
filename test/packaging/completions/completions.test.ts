import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describedCommands } from "../../../packaging/commands.ts";
import { isInstalled, shells } from "./shells.ts";

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "svc-upgrade-completions-"));
  mkdirSync(join(place, "inside of it"));
  writeFileSync(join(place, "inside"), "nop\n");
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

for (const { name } of shells.filter((shell) => !isInstalled(shell.name))) {
  console.warn(`SKIPPED: the completions of ${name}: it is not installed`);
}

/** What each shell must offer at the end of a line; files by their last name. */
const cases: readonly { readonly line: string; readonly offers: readonly string[] }[] = [
  { line: "svc-upgrade ho", offers: ["hold"] },
  { line: "svc-upgrade un", offers: ["unenroll", "unhold"] },
  { line: "svc-upgrade --v", offers: ["--version"] },
  { line: "svc-upgrade dry-run --ex", offers: ["--exit-code"] },
  { line: "svc-upgrade hold --json --re", offers: ["--reason"] },
  { line: "svc-upgrade run --log-format ", offers: ["json", "text"] },
  { line: "svc-upgrade run --log-format=j", offers: ["json"] },
  { line: "svc-upgrade run --log-level=", offers: ["debug", "error", "info", "notice", "warning"] },
  { line: "svc-upgrade enroll --agent-user roo", offers: ["root"] },
  { line: "svc-upgrade status --root PLACE/ins", offers: ["inside of it"] },
  { line: "svc-upgrade status --root=PLACE/ins", offers: ["inside of it"] },
  { line: "svc-upgrade schedule PLACE/ins", offers: ["inside", "inside of it"] },
  { line: "svc-upgrade schedule --at", offers: ["--at"] },
  // Nothing of these is a file, or anything that could be known.
  { line: "svc-upgrade status PLACE/ins", offers: [] },
  { line: "svc-upgrade hold --reason PLACE/ins", offers: [] },
  { line: "svc-upgrade dry-run --endpoint ", offers: [] },
  // A command's name is no command where it is a value.
  { line: "svc-upgrade hold --reason run --inst", offers: [] },
  { line: "svc-upgrade nonsense ", offers: [] },
  // The units' own commands are for nobody to type.
  { line: "svc-upgrade pas", offers: [] },
  { line: "svc-upgrade ask", offers: [] },
];

describe.each(shells)("the completion of $name", (shell) => {
  const offered = (line: string): readonly string[] =>
    shell
      .offers(line.replace("PLACE", place), place)
      .map((offer) => basename(offer.replace(/^--[a-z-]+=/, "").replaceAll("\\ ", " ")))
      .toSorted();

  describe.skipIf(!isInstalled(shell.name))("in the real shell", { timeout: 60_000 }, () => {
    test("is understood by it", () => {
      const file = join(place, `syntax.${shell.name}`);
      writeFileSync(file, shell.script());
      const [program = "", ...rest] = shell.checks;
      expect(spawnSync(program, [...rest, file], { encoding: "utf8" })).toMatchObject({ status: 0, stdout: "", stderr: "" });
    });

    test.each(cases)("offers $offers for $line", ({ line, offers }) => {
      expect(offered(line)).toEqual(offers);
    });

    test("offers every command of the program", () => {
      const names = describedCommands().map(({ name }) => name);
      expect(offered("svc-upgrade ").filter((offer) => !offer.startsWith("-"))).toEqual(names.toSorted());
    });

    test("offers every option of every command, and no other", () => {
      for (const { name, options } of describedCommands()) {
        const flags = [...options.map(({ flag }) => flag), "--help"];
        expect([name, ...offered(`svc-upgrade ${name} --`)]).toEqual([name, ...flags.toSorted()]);
      }
    });

    test.skipIf(shell.name === "bash")("works behind sudo", () => {
      expect(offered("sudo svc-upgrade ho")).toContain("hold");
      expect(offered("sudo svc-upgrade hold --un")).toEqual(["--until"]);
    });
  });
});

describe.skipIf(!isInstalled("shellcheck"))("the completion of bash", () => {
  test("gives shellcheck nothing to say", () => {
    const input = shells.find(({ name }) => name === "bash")?.script() ?? "";
    expect(spawnSync("shellcheck", ["--shell=bash", "-"], { encoding: "utf8", input })).toMatchObject({ status: 0, stdout: "" });
  });
});
