import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { putHoldBack } from "../../../../src/updater/package/apt/hold.ts";
import { installFiles } from "../../../../src/updater/package/apt/install-files.ts";
import { install } from "../../../../src/updater/package/apt/install.ts";
import { mend } from "../../../../src/updater/package/apt/working-half.ts";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import type { Change, FileOnHost, FileSet, Planned } from "../../../../src/updater/package/manager/manager.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";
import type { PackageVersion } from "../../../../src/rules/version/wrapped.ts";
import { scratchFolder } from "../../../machine/files/scratch.ts";
import { saved } from "../saved.ts";
import { answering, failing, type Answering, type Answers } from "./answers.ts";
import { agent, change, faultOf } from "./given.ts";

const root = scratchFolder();
const archives = `${root}/archives/`;
const info = `${root}/var/lib/dpkg/info`;

beforeEach(() => {
  for (const path of [archives, info, `${root}/var/lib/dpkg/updates`]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { recursive: true });
  }
  writeFileSync(`${info}/svc-ent.list`, "/.\n");
});

/** What a call did before it failed: dpkg has unpacked the package again. */
function unpackingAt(calls: Answering, call: RegExp): Answering {
  const after =
    (act: Answering["act"]): Answering["act"] =>
    (argv, what) => {
      if (call.test(argv.join(" "))) {
        rmSync(`${info}/svc-ent.list`);
        writeFileSync(`${info}/other-inode`, "");
        writeFileSync(`${info}/svc-ent.list`, "/.\n");
      }
      return act(argv, what);
    };
  return { ...calls, act: after(calls.act), actOffline: after(calls.actOffline) };
}

const planned: readonly Planned[] = [{ name: agent, version: "15.4.6", architecture: "all" }];
const apt = /^apt-get .* --no-remove .*install svc-ent=15\.4\.6$/;
const dpkg = /^dpkg .*--install/;
const whole: Answers[number] = [/^dpkg-query/, "ii \t15.4.6\tsvc-ent\n"];
const script = failing(saved("install-failing-script.txt"));

describe("an installation by apt", () => {
  test("is one call of it, and nobody is asked for anything else", async () => {
    const calls = answering([]);
    await install(calls, change("15.4.6"), planned);
    expect(calls.acted).toHaveLength(1);
    expect(calls.acted[0]).toMatch(apt);
    expect(calls.asked).toEqual([]);
  });

  test("that fails says how", async () => {
    const fault = await faultOf(install(answering([[apt, script], whole]), change("15.4.6"), planned));
    expect(fault.code).toBe("install-failed");
    expect(fault.message).toMatch(/^apt-get install svc-ent=15\.4\.6 failed: /);
  });

  test.each([
    { title: "the package was unpacked in it and is whole", row: "ii \t15.4.6\tsvc-ent\n", isDone: true },
    { title: "the package was unpacked in it and is half-way", row: "iF \t15.4.6\tsvc-ent\n", isDone: false },
    { title: "another version was unpacked in it", row: "ii \t15.4.5\tsvc-ent\n", isDone: false },
  ])("that fails is done all the same where $title: $isDone", async ({ row, isDone }) => {
    const rows: Answers = [
      [apt, script],
      [/^dpkg-query/, row],
    ];
    const calls = answering(rows, root);
    const work = install(unpackingAt(calls, apt), change("15.4.6"), planned);
    if (isDone) await work;
    else expect(await faultOf(work)).toMatchObject({ code: "install-failed" });
  });

  test("that lifted the hold puts it back, also where it fails", async () => {
    const calls = answering([[apt, script], whole]);
    await install(calls, change("15.4.6", { hold: "lifted" }), planned).catch(() => undefined);
    expect(calls.acted.slice(1).map((call) => call.replace(/ -o \S+/g, ""))).toEqual(["apt-mark -qq hold svc-ent"]);
  });
});

describe("a hold", () => {
  const failed = new Fault("install-failed", { message: "the script", hint: "" });
  test.each([
    { title: "what went wrong before", failure: failed, cause: "the script" },
    { title: "what apt-mark says", failure: undefined, cause: "apt-get hold svc-ent failed: E: Write error" },
  ])("that cannot be put back is told with $title", async ({ failure, cause }) => {
    const calls = answering([[/^apt-mark/, failing("E: Write error\n")]]);
    const fault = await faultOf(putHoldBack(calls, agent, failure));
    expect(fault).toMatchObject({
      code: "install-failed",
      message: "the hold on svc-ent was lifted and could not be put back",
      hint: "put it back with `apt-mark hold svc-ent`",
      cause: { message: cause },
    });
  });
});

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Its file lies in apt's cache as it is offered. */
function cached(name: string, version: string): string {
  const text = `${name} ${version}`;
  writeFileSync(`${archives}${name}_${version}_all.deb`, text);
  return `Package: ${name}\nVersion: ${version}\nArchitecture: all\nFilename: ./x.deb\nSHA256: ${sha256(text)}\n\n`;
}

function file(name: string, version = "15.4.6"): FileOnHost {
  return { name: name as PackageName, version: version as PackageVersion, path: `/kept/${name}.deb` };
}

describe("an installation of what apt cannot do by itself", () => {
  const rows = (): Answers => [
    [/Dir::Cache::archives/, `ARCHIVES='${archives}'\n`],
    [/^apt-cache show .*svc-ent=/, cached("svc-ent", "15.4.6")],
    [/^apt-cache show .*svc-ent-bin=/, cached("svc-ent-bin", "15.4.6")],
  ];
  const both: readonly Planned[] = [...planned, { name: "svc-ent-bin", version: "15.4.6", architecture: "all" }];
  const needing = failing(" svc-ent : Depends: svc-ent-bin (= 15.4.6) but 15.4.7 is to be installed\n");
  const naming: Answers = [
    [/APT::Solver=internal/, needing, "Inst svc-ent (15.4.6 x [all])\n"],
    [/^apt-get .* -s .* install svc-ent=15\.4\.6$/, needing],
    [/^apt-cache policy svc-ent-bin/, "svc-ent-bin:\n  Version table:\n     15.4.6 500\n        500 http://r.test ./ Packages\n"],
  ];

  test("is by the files that were brought where another has to be named", async () => {
    const calls = answering([...naming, ...rows()], root);
    await install(calls, change("15.4.6"), both);
    expect(calls.acted.map((call) => call.split(" ")[0])).toEqual(["dpkg"]);
  });

  test("takes the agent's file first, each once, and none of what is no package", async () => {
    const strange = { name: "no name!", version: "1", architecture: undefined };
    const odd = { name: "svc-ent-odd", version: "no version", architecture: undefined };
    const calls = answering([...naming, ...rows()], root);
    await install(calls, change("15.4.6"), [both[1]!, strange, odd, both[0]!]);
    expect(calls.acted).toHaveLength(1);
    expect(calls.acted[0]).toMatch(
      new RegExp(`--install ${archives}svc-ent_15\\.4\\.6_all\\.deb ${archives}svc-ent-bin_15\\.4\\.6_all\\.deb$`),
    );
  });

  test("is apt's own where nothing has to be named, though others come along", async () => {
    const calls = answering([[/ -s /, "Inst svc-ent (15.4.6 x [all])\n"], ...rows()], root);
    await install(calls, change("15.4.6"), both);
    expect(calls.acted).toHaveLength(1);
    expect(calls.acted[0]).toMatch(apt);
  });

  test.each<[row: string, direction: Change["direction"], byFile: boolean]>([
    ["iU \t15.4.6", "same", true],
    ["iF \t15.4.6", "same", true],
    ["iFR\t15.4.6", "same", false],
    ["", "same", false],
  ])("is by the file where dpkg says %j, and it goes %s: %s", async (row, direction, byFile) => {
    const calls = answering([...rows(), [/^dpkg-query/, `${row}\n`]], root);
    await install(calls, change("15.4.6", { direction }), planned);
    expect(calls.acted.map((call) => call.split(" ")[0])).toEqual([byFile ? "dpkg" : "apt-get"]);
  });
});

describe("an installation from files", () => {
  const set: FileSet = [file(agent), file("svc-ent-bin"), file("svc-ent-libs")];
  const placing = (calls: Answering): readonly string[] =>
    calls.acted.filter((call) => dpkg.test(call) && !call.includes("--no-act"));

  test.each<[title: string, answers: readonly string[], times: number]>([
    ["again where one pre-depends on another", [" pre-dependency problem - not installing svc-ent\n", ""], 2],
    ["again where a file has gone to another", ["Replaced by files in installed package svc-ent (15.4.6) ...\n", ""], 2],
    ["as often as there are files", [" pre-dependency problem - not installing svc-ent\n"], 3],
    ["once where it fails for something else", ["dpkg: error: x\n"], 1],
  ])("is made %s", async (_title, answers, times) => {
    const calls = answering(
      [[dpkg, ...answers.map((output, at) => ({ status: at === 0 && output !== "" ? 1 : 0, output }))]],
      root,
    );
    await installFiles(calls, change("15.4.6"), set).catch(() => undefined);
    expect(placing(calls)).toHaveLength(times);
    expect(placing(calls)[0]).toMatch(/--install \/kept\/svc-ent\.deb \/kept\/svc-ent-bin\.deb \/kept\/svc-ent-libs\.deb$/);
  });

  test("is refused before anything else", async () => {
    const calls = answering([[/^apt-get/, "Remv svc-tool [1.0]\n"]], root);
    expect(await faultOf(installFiles(calls, change("15.4.6"), set))).toMatchObject({ code: "plan-refused" });
    expect(calls.acted).toEqual([]);
  });

  test("that fails is a fault, unless all of it is there and whole", async () => {
    const answers = (rows: string): Answers => [
      [dpkg, failing(saved("dpkg-unmet.txt"), 1)],
      [/^dpkg-query/, rows],
    ];
    const all = set.map(({ name }) => `ii \t15.4.6\t${name}\n`).join("");
    await installFiles(unpackingAt(answering(answers(all), root), dpkg), change("15.4.6"), set);
    expect(await faultOf(installFiles(answering(answers(all), root), change("15.4.6"), set))).toMatchObject({
      code: "install-failed",
    });
    const lacking = unpackingAt(answering(answers(all.replace("ii \t15.4.6\tsvc-ent-libs\n", "")), root), dpkg);
    const fault = await faultOf(installFiles(lacking, change("15.4.6"), set));
    expect(fault.message).toMatch(
      /^dpkg --install \/kept\/svc-ent\.deb \/kept\/svc-ent-bin\.deb \/kept\/svc-ent-libs\.deb failed: /,
    );
  });

  test("puts a lifted hold back", async () => {
    const calls = answering([], root);
    await installFiles(calls, change("15.4.6", { hold: "lifted" }), set);
    expect(calls.acted.some((call) => call.startsWith("apt-mark"))).toBe(true);
  });
});

describe("what did not finish", () => {
  const halfway: Answers[number] = [/--audit/, saved("audit-halfway.txt")];
  const configured = (calls: Answering): readonly string[] => calls.acted.filter((call) => call.includes("--configure -a"));

  test("is put in order where dpkg's audit, or its journal, says that something is", async () => {
    const calls = answering([halfway], root);
    await mend(calls);
    expect(configured(calls)).toHaveLength(1);
    const journal = answering([], root);
    writeFileSync(`${root}/var/lib/dpkg/updates/0001`, "");
    await mend(journal);
    expect(configured(journal)).toHaveLength(1);
    expect(calls.asked.concat(journal.asked)).toHaveLength(1);
  });

  test("is nothing on a whole host: it is only asked", async () => {
    const calls = answering([], root);
    await mend(calls);
    expect([calls.asked.length, calls.acted]).toEqual([1, []]);
  });

  test.each([
    { file: "install-failing-script.txt", code: undefined },
    { file: "install-no-space.txt", code: "no-space" },
  ])("ends with $code where dpkg says what is in $file", async ({ file: name, code }) => {
    const calls = answering([halfway, [/--configure/, failing(saved(name), 1)]], root);
    const work = mend(calls);
    if (code === undefined) await work;
    else expect(await faultOf(work)).toMatchObject({ code });
  });
});
