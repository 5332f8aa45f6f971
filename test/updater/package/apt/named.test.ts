import { describe, expect, test } from "vitest";
import { rehearseNamed } from "../../../../src/updater/package/apt/named.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import { answering, failing, type Answers } from "./answers.ts";
import { change } from "./given.ts";

const heldBroken = failing("E: Unable to correct problems, you have held broken packages.\n");
/** Of two versions, by dpkg, which says nothing else. */
const lower: readonly string[] = ["1.8", "1.9", "2.0", "2.1"];
const comparing: Answers = [
  ...lower.flatMap((left, at) =>
    lower.slice(at + 1).map((right) => [new RegExp(`--compare-versions ${left} << ${right}$`), ""] as const),
  ),
  ...lower.map((one) => [new RegExp(`--compare-versions ${one} = ${one}$`), ""] as const),
  [/--compare-versions/, failing("", 1)],
];

function complaining(...lines: readonly string[]): ReturnType<typeof failing> {
  return failing(
    `The following packages have unmet dependencies:\n${lines.map((line) => `${line}\n`).join("")}${heldBroken.output}`,
  );
}

function policy(name: string, installed: string, ...versions: readonly string[]): Answers[number] {
  const rows = versions.map((version) => `     ${version} 500\n        500 http://repo.test ./ Packages\n`).join("");
  return [
    new RegExp(`^apt-cache policy ${name}$`),
    `${name}:\n  Installed: ${installed}\n  Candidate: ${versions[0]}\n  Version table:\n${rows}`,
  ];
}

function there(name: string, version: string): Answers[number] {
  return [new RegExp(`^dpkg-query .* ${name}$`), `ii \t${version}\n`];
}

/** What has to be named for it, and how often apt was asked for a plan. */
async function named(
  rows: Answers,
  wanted = change("15.4.6"),
): Promise<{ named: readonly string[]; status: number; plans: readonly string[] }> {
  const calls = answering([...rows, [/^dpkg-query/, failing("no packages found matching x", 1)], ...comparing]);
  const { named: found, ended } = await rehearseNamed(calls, wanted);
  const plans = calls.asked.filter((call) => call.startsWith("apt-get")).map((call) => call.replace(/^.* install /, ""));
  return { named: found.map(({ name, version }) => `${name}=${version}`), status: ended.status, plans };
}

describe("what has to be named for a plan", () => {
  test.each<{ title: string; line: string; rows: Answers; expected: string }>([
    {
      title: "whoever excludes another one, and not that one",
      line: " svc-ent-libs : Breaks: svc-ent-bin (<< 15.4.7) but 15.4.6 is to be installed",
      rows: [policy("svc-ent-libs", "15.4.7", "15.4.7", "15.4.6"), policy("svc-ent-bin", "15.4.6", "15.4.7", "15.4.6")],
      expected: "svc-ent-libs=15.4.6",
    },
    {
      title: "whoever needs the agent's package in another version, for that one stays",
      line: " svc-tool : Depends: svc-ent (= 15.4.5) but 15.4.6 is to be installed",
      rows: [policy("svc-tool", "15.4.5", "15.4.7", "15.4.6")],
      expected: "svc-tool=15.4.6",
    },
    {
      title: "the next lower that fits, where versions are numbered otherwise",
      line: " svc-ent : Depends: libx (< 2.1) but 2.1 is to be installed",
      rows: [policy("libx", "2.0", "2.1", "2.0", "1.9", "1.8"), there("libx", "2.0")],
      expected: "libx=1.9",
    },
    {
      title: "the one version that fits, though it is higher",
      line: " svc-ent : Depends: libx (= 2.1) but 2.0 is to be installed",
      rows: [policy("libx", "2.0", "2.1", "2.0"), there("libx", "2.0")],
      expected: "libx=2.1",
    },
    {
      title: "the first that fits of what is not there",
      line: " svc-ent : Depends: libx (< 2.1) but it is not going to be installed",
      rows: [policy("libx", "(none)", "2.1", "2.0", "1.9")],
      expected: "libx=2.0",
    },
  ])("is $title", async ({ line, rows, expected }) => {
    const made: Answers[number] = [/APT::Solver=internal/, complaining(line), "Inst svc-ent (15.4.6 x [all])\n"];
    const found = await named([made, [/ -s /, heldBroken], ...rows]);
    expect(found).toEqual({
      named: [expected],
      status: 0,
      plans: ["svc-ent=15.4.6", "svc-ent=15.4.6", `svc-ent=15.4.6 ${expected}`],
    });
  });

  test("is added to what was named before, each once", async () => {
    const twice = " svc-ent : Depends: svc-ent-bin (= 15.4.6) but 15.4.7 is to be installed";
    const made: Answers[number] = [
      /APT::Solver=internal/,
      complaining(twice, twice),
      complaining(" svc-ent-bin : Depends: svc-ent-data (= 15.4.6) but 15.4.7 is to be installed", twice),
      "Inst svc-ent (15.4.6 x [all])\n",
    ];
    const rows = ["bin", "data"].map((name) => policy(`svc-ent-${name}`, "15.4.5", "15.4.7", "15.4.6"));
    const found = await named([made, [/ -s /, heldBroken], ...rows, [/--compare-versions 15.4.6 = 15.4.6$/, ""]]);
    expect(found.named).toEqual(["svc-ent-bin=15.4.6", "svc-ent-data=15.4.6"]);
  });

  test("comes to nothing where apt complains of nothing: then what apt said at first counts", async () => {
    const first = failing("E: the first\n");
    const calls = answering([
      [/APT::Solver=internal/, complaining("")],
      [/ -s /, first],
      [/^dpkg-query/, failing("no packages found matching x", 1)],
      ...comparing,
    ]);
    expect(await rehearseNamed(calls, change("15.4.6"))).toMatchObject({ ended: { output: "E: the first\n" }, named: [] });
  });

  test("is given up after twenty rounds of it", async () => {
    const endless = Array.from({ length: 30 }, (_, at) =>
      complaining(` svc-ent : Depends: lib${at} but it is not going to be installed`),
    );
    const rows = endless.map((_, at) => policy(`lib${at}`, "(none)", "1"));
    const found = await named([[/APT::Solver=internal/, ...endless], [/ -s /, heldBroken], ...rows]);
    expect(found).toMatchObject({ named: [], status: 100 });
    expect(found.plans).toHaveLength(1 + 20);
  });

  describe("where a plan would remove somebody", () => {
    const removing = "Remv svc-tool [15.4.5]\nInst svc-ent [15.4.5] (15.4.6 x [all])\n";

    test("is nothing where it is not offered in that version, and the plan says who would go", async () => {
      expect(await named([[/ -s /, removing], policy("svc-tool", "15.4.5", "15.4.7")])).toMatchObject({
        named: [],
        status: 0,
        plans: ["svc-ent=15.4.6", "svc-ent=15.4.6"],
      });
    });

    test("is not named a second time, if it would go all the same", async () => {
      const found = await named([[/ -s /, removing], policy("svc-tool", "15.4.5", "15.4.6")]);
      expect(found).toMatchObject({ named: ["svc-tool=15.4.6"], status: 0 });
      expect(found.plans).toHaveLength(3);
    });
  });

  describe("in a repair", () => {
    const beside = ["svc-ent-bin", "svc-ent-libs", "svc-ent-data"] as PackageName[];
    const planned: Answers[number] = [/ -s /, "Inst svc-ent [15.4.6] (15.4.6 x [all])\n"];
    test("is what is half-way of the rest, as it is there", async () => {
      const rows = "ii \t15.4.6\tsvc-ent-bin\niF \t15.4.5\tsvc-ent-libs\nun \t\tsvc-ent-data\n";
      const found = await named([planned, [/^dpkg-query/, rows]], change("15.4.6", { direction: "same", beside }));
      expect(found).toMatchObject({ named: ["svc-ent-libs=15.4.5"], plans: ["svc-ent=15.4.6 svc-ent-libs=15.4.5"] });
    });

    test("is nothing where nothing moves along: nobody is asked", async () => {
      const calls = answering([planned]);
      expect((await rehearseNamed(calls, change("15.4.6", { direction: "same" }))).named).toEqual([]);
      expect((await rehearseNamed(calls, change("15.4.6", { beside }))).named).toEqual([]);
      expect(calls.asked.filter((call) => call.startsWith("dpkg-query"))).toEqual([]);
    });
  });
});
