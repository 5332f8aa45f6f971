import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import type { FaultCode } from "../../../../src/rules/fault/table.ts";
import { refresh } from "../../../../src/updater/package/apt/refresh.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { saved } from "../saved.ts";
import { answering, failing, type Answer, type Answering, type Answers } from "./answers.ts";
import { agent } from "./given.ts";

const lists = `${scratchFolder()}/lists/`;
const sources = ["/etc/apt/sources.list.d/one.list", "/etc/apt/sources.list.d/two.sources"];
const offered = `svc-ent:
  Candidate: 15.4.6
  Version table:
     15.4.6 500
        500 http://one.test ./ Packages
        500 http://two.test ./ Packages
`;
const indexes = `${sources[0]}:1\thttp://one.test ./ Packages\n${sources[1]}:3\thttp://two.test ./ Packages\n/other.list:1\thttp://other.test ./ Packages\n`;
const [one, two] = sources.map((source) => new RegExp(`sourcelist=${source} .* update$`)) as [RegExp, RegExp];
const all = /^prlimit --fsize=\d+ --core=0 -- apt-get -qq (?!.*sourcelist).* update$/;
const known: Answers = [
  [/^apt-cache policy/, offered],
  [/indextargets/, indexes],
  [/Dir::State::lists/, `LISTS='${lists}'\n`],
];
const unknown: Answers = [[/^apt-cache policy/, ""], ...known];

async function faultOf(calls: Answering): Promise<Fault> {
  return refresh(calls, agent).then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown as Fault,
  );
}

/** Which sources were refreshed, and what was taken away before. */
function told(calls: Answering): readonly string[] {
  return calls.acted.map((call) => {
    if (call.startsWith("rm -f ")) return `remove ${call.slice("rm -f ".length).replaceAll(lists, "")}`;
    return one.test(call) ? "one" : two.test(call) ? "two" : all.test(call) ? "all" : call;
  });
}

beforeEach(() => {
  rmSync(lists, { recursive: true, force: true });
  mkdirSync(join(lists, "partial"), { recursive: true });
});

/** A signed list that names its list by another size, or by another content. */
function lay(size: number): void {
  const sum = "0".repeat(64);
  writeFileSync(join(lists, "repo_Release"), `Origin: Lab\nSHA256:\n ${sum} ${size} Packages\n`);
  writeFileSync(join(lists, "repo_Packages"), "Package: svc-ent\n");
}
const rightSize = "Package: svc-ent\n".length;

describe("a refresh", () => {
  test("is of the sources that offer the package, and of no other", async () => {
    const calls = answering(known);
    await refresh(calls, agent);
    expect(told(calls)).toEqual(["one", "two"]);
  });

  test("is of all sources where none is known to offer it", async () => {
    const calls = answering(unknown);
    await refresh(calls, agent);
    expect(told(calls)).toEqual(["all"]);
  });

  test.each<[title: string, answer: Answer]>([
    ["fails", failing(saved("update-dead.txt"))],
    ["is called a success by an older apt", { output: saved("update-dead-tolerant.txt") }],
  ])("that %s at a source that offers the package says at which, and what to type", async (_title, answer) => {
    const fault = await faultOf(answering([[two, answer], ...known]));
    expect(fault).toMatchObject({ code: "refresh-failed", hint: "try it by hand: `sudo apt-get update`" });
    expect(fault.message).toMatch(
      /^the package lists of \/etc\/apt\/sources\.list\.d\/two\.sources could not be refreshed: [EW]: Failed to fetch/,
    );
  });

  test("of all sources that fails in words of another kind says as much", async () => {
    const answer = failing("something else", 100);
    expect(await faultOf(answering([[all, answer], ...unknown]))).toMatchObject({
      code: "refresh-failed",
      message: "the package lists could not be refreshed: apt-get update failed: something else",
    });
  });

  test("of one source that fails without a word says at which", async () => {
    expect(await faultOf(answering([[two, failing("")], ...known]))).toMatchObject({
      code: "refresh-failed",
      message: `the package lists of ${sources[1]} could not be refreshed: apt-get update failed: it said nothing`,
    });
  });

  test("of all sources is good enough where one is dead and another offers the package", async () => {
    const policy: Answers[number] = [/^apt-cache policy/, "", offered];
    const calls = answering([[all, { output: saved("update-dead-tolerant.txt") }], policy, ...known]);
    await refresh(calls, agent);
    expect(told(calls)).toEqual(["all"]);
  });

  test("of all sources fails where one is dead and none offers the package", async () => {
    const fault = await faultOf(answering([[all, { output: saved("update-dead-tolerant.txt") }], ...unknown]));
    expect(fault.message).toMatch(/^the package lists could not be refreshed: W: Failed to fetch/);
  });

  test.each<{ file: string; code: FaultCode; says: string }>([
    { file: "lock-lists.txt", code: "manager-busy", says: "apt is locked. It is held by process" },
    { file: "install-no-space.txt", code: "no-space", says: "No space left on device" },
    { file: "not-root.txt", code: "not-permitted", says: "are you root?" },
  ])("that ends with $code is told as that, and no list is blamed for it", async ({ file, code, says }) => {
    lay(rightSize);
    const calls = answering([[/ update$/, failing(saved(file))], ...known]);
    const fault = await faultOf(calls);
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(says);
    expect(told(calls).filter((call) => call.startsWith("remove repo"))).toEqual([]);
  });

  test.each<[code: FaultCode, becomes: FaultCode, isListsFault: boolean]>([
    ["busy", "busy", false],
    ["interrupted", "interrupted", false],
    ["bug", "bug", false],
    ["manager-busy", "manager-busy", false],
    ["no-space", "no-space", false],
    ["not-permitted", "not-permitted", false],
    ["install-failed", "refresh-failed", true],
    ["download-failed", "refresh-failed", true],
    ["proxy-invalid", "proxy-invalid", true],
  ])("that ends with the fault %s is %s; that it may be the lists' is %s", async (code, becomes, isListsFault) => {
    lay(rightSize);
    const calls = answering(known);
    const failed = new Fault(code, { message: "it failed", hint: "see" });
    let times = 0;
    const act: Answering["act"] = (argv, what) => ((times += 1) === 1 ? Promise.reject(failed) : calls.act(argv, what));
    const outcome = await refresh({ ...calls, act }, agent).then(
      () => undefined,
      (thrown: unknown) => thrown as Fault,
    );
    if (isListsFault) {
      expect(outcome).toBeUndefined();
      expect(told(calls)).toEqual(["remove repo_Packages", "all"]);
      rmSync(join(lists, "repo_Release"));
      times = 0;
      const again = await faultOf({ ...calls, act });
      expect(again).toMatchObject({ code: becomes, message: "it failed", hint: "see" });
      if (becomes !== code) expect(again.cause).toBe(failed);
    } else {
      expect(outcome).toBe(failed);
      expect(told(calls)).toEqual([]);
    }
  });

  test("takes lists of another size away at once, and fetches all again", async () => {
    lay(1);
    const calls = answering(known);
    await refresh(calls, agent);
    expect(told(calls)).toEqual(["remove repo_Packages", "all"]);
    expect(calls.acted[0]).toBe(`rm -f ${lists}repo_Packages`);
  });

  test("takes lists of another content away only once it has failed with them, and then tries once more", async () => {
    lay(rightSize);
    const calm = answering(known);
    await refresh(calm, agent);
    expect(told(calm)).toEqual(["one", "two"]);
    const calls = answering([[one, failing(saved("update-dead.txt"))], ...known]);
    await refresh(calls, agent);
    expect(told(calls)).toEqual(["one", "remove repo_Packages", "all"]);
    expect(readFileSync(join(lists, "repo_Release"), "utf8")).toContain("SHA256");
  });
});
