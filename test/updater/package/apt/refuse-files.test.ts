import { describe, expect, test } from "vitest";
import { refuseFiles } from "../../../../src/updater/package/apt/refuse-files.ts";
import type { Change, FileOnHost, FileSet } from "../../../../src/updater/package/manager/manager.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { saved } from "../saved.ts";
import { answering, failing, type Answers } from "./answers.ts";
import { agent, change, faultOf } from "./given.ts";

function file(name: string): FileOnHost {
  return { name: name as PackageName, version: "15.4.6" as PackageVersion, path: `/kept/${name}.deb` };
}
const one: FileSet = [file(agent)];
const two: FileSet = [file(agent), file("svc-ent-libs")];

const unmet = "E: Unmet dependencies. Try 'apt --fix-broken install' with no packages (or specify a solution).\n";
/** apt makes no plan, because of something else on the host. */
const beside: Answers[number] = [/^apt-get/, failing(` lacking : Depends: nowhere but it is not installable\n${unmet}`)];

async function refused(
  rows: Answers,
  files: FileSet = one,
  more: Partial<Change> = {},
): Promise<{ message: string; code?: string; hint?: string }> {
  return faultOf(refuseFiles(answering(rows), { root: "/", change: change("15.4.6", more), files }));
}

describe("files that are to be installed", () => {
  describe("of held packages", () => {
    test.each<{ title: string; rows: string; hold: Change["hold"]; held: string | undefined }>([
      { title: "another's", rows: "hi \t15.4.5\tsvc-ent\nhi \t15.4.5\tsvc-ent-libs\n", hold: "lifted", held: "svc-ent-libs" },
      { title: "each", rows: "hi \t15.4.5\tsvc-ent\nhi \t15.4.5\tsvc-ent-libs\n", hold: "none", held: "svc-ent" },
    ])("$title is kept: $held", async ({ rows, hold, held }) => {
      const found = await refused([[/^dpkg-query/, rows]], two, { hold });
      if (held === undefined) expect(found).toBe("no fault");
      else expect(found.message).toBe(`installing svc-ent 15.4.6 from its file and 1 more would lift the hold on ${held}`);
    });
  });

  test.each<[title: string, rows: Answers, says: string, files?: FileSet]>([
    [
      "another one excludes them",
      [[/^apt-get/, failing(" other : Breaks: svc-ent (< 16) but 15.4.6 is to be installed\n another : Breaks: svc-ent but\n")]],
      "from its file fails: other : Breaks: svc-ent (< 16) but 15.4.6 is to be installed",
    ],
    [
      "they would go down",
      [[/^apt-get/, failing("W: other\nE: Packages were downgraded and -y was used without --allow-downgrades.\n")]],
      "from its file fails: E: Packages were downgraded and -y was used without --allow-downgrades.",
    ],
    [
      "dpkg would remove another",
      [
        beside,
        [
          /--no-act/,
          { output: "dpkg: yes, will remove bystander in favour of svc-ent\ndpkg: yes, will remove b in favour of x\n" },
        ],
      ],
      "from its file would remove bystander, b",
    ],
    [
      "dpkg would leave them out",
      [beside, [/--no-act/, { output: "one\ndpkg: will not downgrade svc-ent from 15.4.7 to 15.4.6, skipping\n" }]],
      "from its file fails: dpkg: will not downgrade svc-ent from 15.4.7 to 15.4.6, skipping",
    ],
    [
      "what they pre-depend on does not come",
      [beside, [/--no-act/, { output: " svc-ent pre-depends on svc-ent-libs\n svc-ent pre-depends on a | b (>= 2)\n" }]],
      "from its file and 1 more fails: svc-ent pre-depends on a | b (>= 2)",
      two,
    ],
  ])("are refused where %s", async (_title, rows, says, files) => {
    const typed = (files ?? one).map(({ path }) => path).join(" ");
    expect(await refused(rows, files)).toMatchObject({
      code: "plan-refused",
      message: `installing svc-ent 15.4.6 ${says}`,
      hint: `look at the whole plan with \`apt-get -s install ${typed}\``,
    });
  });

  test("may say that one pre-depends on another where that comes with them", async () => {
    expect(await refused([beside, [/--no-act/, { output: " svc-ent pre-depends on a | svc-ent-libs (>= 2)\n" }]], two)).toBe(
      "no fault",
    );
  });

  test("are not judged by a relation of theirs where the whole host is in disorder: dpkg knows better", async () => {
    const calls = answering([[/^apt-get/, failing(` svc-ent : Depends: nowhere but it is not installable\n${unmet}`)]]);
    await refuseFiles(calls, { root: "/", change: change("15.4.6"), files: one });
    expect(calls.acted).toHaveLength(1);
  });

  test.each([
    { file: "dpkg-conflict.txt", code: "plan-refused", says: "conflicts with bystander" },
    { file: "dpkg-locked-named.txt", code: "manager-busy", says: "frontend lock" },
  ])("that dpkg itself refuses ($file) are $code", async ({ file: name, code, says }) => {
    const fault = await refused([beside, [/--no-act/, failing(saved(name), 1)]]);
    expect(fault.code).toBe(code);
    expect(fault.message).toMatch(/^dpkg --no-act --install \/kept\/svc-ent\.deb failed: /);
    expect(fault.message).toContain(says);
  });

  test("are refused in no more than two hundred of their own words", async () => {
    const told = (length: number): Answers => [
      [/^apt-get/, failing(` svc-ent : Depends: ${"x".repeat(length - "svc-ent : Depends: ".length)}\n`)],
    ];
    expect((await refused(told(200))).message).toMatch(/x$/);
    expect((await refused(told(201))).message).toMatch(/x…$/);
  });
});
