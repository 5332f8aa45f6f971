import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { objectionToBack, statusAfter } from "../../../../src/updater/package/apt/objection.ts";
import type { FileOnHost, FileSet } from "../../../../src/updater/package/manager/manager.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { saved } from "../saved.ts";
import { answering, failing, type Answers } from "./answers.ts";
import { agent } from "./given.ts";

const root = scratchFolder();

const own = "Package: svc-ent\nStatus: install ok installed\nVersion: 15.4.5\n";
const other = "Package: bystander\nStatus: hold ok installed\nVersion: 1.0\nDescription: for a test\n .\n more of it\n";
const arrived = "Package: svc-ent\nVersion: 15.4.6\n";
const added = "Package: extra\nVersion: 1.0\n\n";

describe("what dpkg will know once packages are installed", () => {
  test("has them in the place of what they exchange, whole, and all else as it was", () => {
    // Between two packages there is one empty line, or more.
    expect(statusAfter(`${own}\n${other}`, [arrived, added]).replaceAll(/\n{3,}/g, "\n\n")).toBe(
      [
        other,
        "Package: svc-ent\nVersion: 15.4.6\nStatus: install ok installed\n",
        "Package: extra\nVersion: 1.0\nStatus: install ok installed\n",
      ].join("\n"),
    );
  });

  test("has nothing but them on a host without any package", () => {
    expect(statusAfter("", [arrived])).toBe("Package: svc-ent\nVersion: 15.4.6\nStatus: install ok installed\n");
  });

  test("leaves one alone whose name only begins like theirs", () => {
    const libs = "Package: svc-ent-libs\nStatus: install ok installed\nVersion: 15.4.5\n";
    expect(statusAfter(`${own}\n${libs}`, [arrived])).toContain(libs.trim());
    expect(statusAfter(`${own}\n${libs}`, [arrived])).not.toContain(
      "Package: svc-ent\nStatus: install ok installed\nVersion: 15.4.5",
    );
  });
});

describe("whether packages could be put back", () => {
  const file = (name: string, version: string): FileOnHost => ({
    name: name as PackageName,
    version: version as PackageVersion,
    path: `/kept/${name}_${version}.deb`,
  });
  const sets: { after: FileSet; before: FileSet } = {
    after: [file(agent, "15.4.6"), file("extra", "1.0")],
    before: [file(agent, "15.4.5")],
  };
  const controls: Answers = [
    [/--ctrl-tarfile.*svc-ent_15\.4\.6/, arrived],
    [/--ctrl-tarfile.*extra/, added],
  ];
  const planning = /^apt-get .* -s .*Dir::State::status=(\S+) .*install \/kept\/svc-ent_15\.4\.5\.deb$/;

  beforeEach(() => {
    mkdirSync(`${root}/var/lib/dpkg`, { recursive: true });
    writeFileSync(`${root}/var/lib/dpkg/status`, `${own}\n${other}`);
  });

  const objection = (rows: Answers): Promise<string | undefined> =>
    objectionToBack(answering([...rows, ...controls], root), sets);

  test("is asked of apt on a copy of what dpkg knows, which nobody else reads and which is gone afterwards", async () => {
    const calls = answering(controls, root);
    const seen: unknown[] = [];
    const ask: typeof calls.ask = (argv) => {
      const status = planning.exec(argv.join(" "))?.[1];
      if (status !== undefined)
        seen.push(readFileSync(status, "utf8"), statSync(status).mode & 0o777, status.replace(/^.*\//, ""));
      return calls.ask(argv);
    };
    expect(await objectionToBack({ ...calls, ask }, sets)).toBeUndefined();
    expect(seen).toEqual([statusAfter(`${own}\n${other}`, [arrived, added]), 0o600, "status"]);
  });

  test.each<[title: string, answer: Answers[number][1], says: string]>([
    ["would remove others", "Remv extra [1.0]\nRemv more [1.0]\n", "it would remove extra, more"],
    [
      "finds relations that are not met",
      failing(saved("simulate-unmet.txt")),
      "svc-ent : Depends: nowhere (>= 2) but it is not installable",
    ],
    ["fails", failing("W: one\nE: two\nE: three\n"), "E: two"],
    ["fails without a word", failing(""), "apt makes no plan for it, and does not say why"],
  ])("is answered in its words where apt %s", async (_title, answer, says) => {
    expect(await objection([[planning, answer]])).toBe(says);
  });

  test("cannot be found out where dpkg's database cannot be read", async () => {
    rmSync(`${root}/var/lib/dpkg/status`);
    expect(await objection([])).toMatch(/^whether it could be put back cannot be found out: no such file/i);
  });

  const has = (...paths: readonly string[]): Answers[number] => [
    /--listfiles svc-ent$/,
    `/.\n${paths.map((path) => `${path}\n`).join("")}`,
  ];
  test.each<{ title: string; rows: Answers; says: string | undefined }>([
    {
      title: "what comes has a file of it",
      rows: [has("/usr", "/usr/a", "/usr/b"), [/--fsys-tarfile.*extra/, "./usr/\n./usr/b\n./usr/a\n"]],
      says: "/usr/a is of svc-ent, and extra, which is added, has it too",
    },
    { title: "both have directories", rows: [has("/usr"), [/--fsys-tarfile.*extra/, "./usr/\n./usr/x\n"]], says: undefined },
  ])("is answered $says where $title", async ({ rows, says }) => {
    expect(await objection(rows)).toBe(says);
  });

  test("counts only what is added, of a set of several", async () => {
    const [first, ...others] = sets.after;
    const both: { after: FileSet; before: FileSet } = {
      after: [first, ...others, file("libs", "2")],
      before: [file(agent, "15.4.5"), file("libs", "1")],
    };
    const calls = answering([has("/usr/a"), [/--fsys-tarfile.*(?:svc-ent|libs)/, "./usr/a\n"], ...controls], root);
    expect(await objectionToBack(calls, both)).toBeUndefined();
  });

  test("asks for no files where nothing is added", async () => {
    const calls = answering(controls, root);
    await objectionToBack(calls, { ...sets, after: [file(agent, "15.4.6")] });
    expect(calls.asked.filter((call) => /fsys-tarfile|listfiles/.test(call))).toEqual([]);
  });
});
