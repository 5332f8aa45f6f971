import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import type { FaultCode } from "../../../../src/rules/fault/table.ts";
import type { FileSet } from "../../../../src/updater/package/manager/manager.ts";
import { objectionToBack } from "../../../../src/updater/package/rpm/objection-to-back.ts";
import { rpmThatIsNever } from "./never.ts";
import { agent, fileOf, missingTools, rpmHost, timeout, type Built, type RpmHost } from "./on-host.ts";

const missing = missingTools();

let host: RpmHost;
beforeEach(async () => void (missing === undefined && (host = await rpmHost())));
afterEach(async () => void (missing === undefined && (await host.remove())));

async function set(first: Built, ...others: readonly Built[]): Promise<FileSet> {
  const file = async (built: Built): Promise<FileSet[0]> =>
    fileOf(built.name ?? agent, `${built.version}-1`, await host.build(built));
  return [await file(first), ...(await Promise.all(others.map(file)))];
}

const locked = (version: string): Built => ({ version, tags: `Requires: svc-ent-data = ${version}` });
const data = (version: string, tags: string = ""): Built => ({ name: "svc-ent-data", version, tags });

async function install(files: FileSet): Promise<void> {
  await host.rpm("-U", "--oldpackage", ...files.map(({ path }) => path));
}

const copies = (): Promise<readonly string[]> => readdir(join(host.root, "var/lib/svc-upgrade"));

describe.skipIf(missing !== undefined)("what rpm would have against the rollback", { timeout }, () => {
  test("is nothing where the set of before can stand in the place of the next, and nothing of the host changes", async () => {
    const before = await set(locked("15.4.5"), data("15.4.5"));
    const loud = Object.fromEntries(
      ["pretrans", "pre", "post", "preun", "postun", "posttrans"].map((script) => [script, 'io.open("/ran", "w"):close()']),
    );
    const after = await set({ ...locked("15.4.6"), scripts: loud }, data("15.4.6"), { name: "svc-ent-new", version: "1" });
    await install(before);
    const database = join(host.root, "var/lib/rpm/rpmdb.sqlite");
    const bytes = await readFile(database);
    const listed = await host.rpm("-qa");
    expect(await objectionToBack(host.calls, { after, before })).toBeUndefined();
    expect([await host.rpm("-qa"), (await readFile(database)).equals(bytes)]).toEqual([listed, true]);
    expect(await copies()).toEqual([]);
    await expect(readFile(join(host.root, "ran"))).rejects.toMatchObject({ code: "ENOENT" });
    // Also where the move is done already.
    await host.rpm("-U", "--noscripts", ...after.map(({ path }) => path));
    expect(await objectionToBack(host.calls, { after, before })).toBeUndefined();
  });

  test.each<{ title: string; stranger: Built; before?: Built; says: string }>([
    {
      title: "an added package that is in conflict with the version before",
      stranger: { name: "svc-ent-new", version: "1", tags: "Conflicts: svc-ent < 15.4.6" },
      says: "rpm would refuse it: svc-ent < 15.4.6 conflicts with (installed) svc-ent-new-1-1.noarch",
    },
    {
      title: "an added package that needs the next version",
      stranger: { name: "svc-ent-new", version: "1", tags: "Requires: svc-ent >= 15.4.6" },
      says: "rpm would refuse it: svc-ent >= 15.4.6 is needed by (installed) svc-ent-new-1-1.noarch",
    },
    {
      title: "an added package whose place the version before would take",
      stranger: { name: "svc-ent-new", version: "1" },
      before: data("15.4.5", "Obsoletes: svc-ent-new"),
      says: "it would remove svc-ent-new",
    },
    {
      title: "an added package with a file of the version before",
      stranger: { name: "svc-ent-new", version: "1", owns: "/usr/share/svc-ent/helper" },
      before: { ...data("15.4.5"), owns: "/usr/share/svc-ent/helper" },
      says: "rpm would refuse it: file /usr/share/svc-ent/helper from install of svc-ent-data-15.4.5-1.noarch conflicts with file from package svc-ent-new-1-1.noarch",
    },
  ])("is $title, and rpm itself says so afterwards", async ({ stranger, before: companion = data("15.4.5"), says }) => {
    const before = await set(locked("15.4.5"), companion);
    const after = await set(locked("15.4.6"), data("15.4.6"), stranger);
    await install(before);
    expect(await objectionToBack(host.calls, { after, before })).toBe(says);
    await install(after);
    await host.rpm("-U", "--oldpackage", ...before.map(({ path }) => path));
    expect(await host.rpm("-q", agent, "svc-ent-new")).not.toBe("svc-ent-15.4.5-1.noarch\nsvc-ent-new-1-1.noarch\n");
  });

  test("is what a file is missing for that the set does not have", async () => {
    const before = await set(locked("15.4.5"), data("15.4.5"));
    const after = await set(locked("15.4.6"), data("15.4.6"));
    await install(before);
    const [itself] = before;
    expect(await objectionToBack(host.calls, { after, before: [itself] })).toBe(
      "rpm would refuse it: svc-ent-data = 15.4.5 is needed by svc-ent-15.4.5-1.noarch",
    );
  });
});

describe("the question what rpm would have against the rollback", () => {
  const after = [fileOf(agent, "2-1", "/after.rpm")] as const;
  const before = [fileOf(agent, "1-1", "/before.rpm")] as const;
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "svc-upgrade-rpm-"));
    await mkdir(join(root, "var/lib/rpm"), { recursive: true });
  });
  afterEach(() => rm(root, { recursive: true }));

  type Answer = { readonly status: number; readonly output: string };

  /** An rpm that answers so to the move forth and to the one back. */
  function rpm(forth: Answer, back: Answer = forth): { readonly asking: Promise<unknown>; readonly rehearsed: string[] } {
    const rehearsed: string[] = [];
    const calls = {
      ...rpmThatIsNever("not asked for here"),
      root,
      ask: async () => ({ status: 0, stdout: "/var/lib/rpm", output: "" }),
      rehearse: async (database: string, args: readonly string[], what: string) => {
        rehearsed.push(`${what}: ${database} ${args.join(" ")}`);
        return { stdout: "", ...(rehearsed.length === 1 ? forth : back) };
      },
    };
    return { asking: objectionToBack(calls, { after, before }).catch((thrown: unknown) => thrown), rehearsed };
  }

  const ok: Answer = { status: 0, output: "" };
  const refused: Answer = { status: 1, output: "\ta is needed by svc-ent-1-1.noarch\n" };

  test("is asked with nothing of the packages run, nothing of the host's plugins told, and no file changed", async () => {
    const { asking, rehearsed } = rpm(ok);
    expect(await asking).toBeUndefined();
    const [what, copy] = ["rpm --test the rollback to svc-ent 1-1", "/var/lib/svc-upgrade/rpm-copy"];
    const always = "-U --oldpackage --replacepkgs --ignoresize --noplugins";
    expect(rehearsed).toEqual([
      `${what}: ${copy} ${always} --justdb --nodeps --noscripts --notriggers --replacefiles /after.rpm`,
      `${what}: ${copy} ${always} --test /before.rpm`,
    ]);
  });

  test.each<[title: string, forth: Answer, says: string, asked: number, back?: Answer]>([
    ["would refuse", ok, "rpm would refuse it: a is needed by svc-ent-1-1.noarch", 2, refused],
    [
      "cannot even take the step before",
      refused,
      "rpm could not be asked whether it would refuse it: a is needed by svc-ent-1-1.noarch",
      1,
    ],
    [
      "does not come to an end",
      ok,
      "rpm could not be asked whether it would refuse it: it took too long",
      2,
      { status: 124, output: "" },
    ],
    ["had to be killed", { status: 137, output: "" }, "rpm could not be asked whether it would refuse it: it took too long", 1],
  ])("has an answer where rpm %s", async (_title, forth, says, asked, back) => {
    const { asking, rehearsed } = rpm(forth, back);
    expect([await asking, rehearsed.length]).toEqual([says, asked]);
  });

  test.each<{ code: FaultCode; passes: boolean }>([
    { code: "manager-busy", passes: true },
    { code: "busy", passes: true },
    { code: "interrupted", passes: true },
    { code: "stopping", passes: true },
    { code: "database-broken", passes: false },
    { code: "os-failed", passes: false },
  ])("that ended with $code is asked again by the next pass: $passes", async ({ code, passes }) => {
    const fault = new Fault(code, { message: "it failed", hint: "look" });
    const calls = { ...rpmThatIsNever(""), root, ask: () => Promise.reject(fault) };
    const asking = objectionToBack(calls, { after, before });
    if (passes) await expect(asking).rejects.toBe(fault);
    else expect(await asking).toBe("rpm could not be asked whether it would refuse it: it failed");
  });

  test("that ended in a mistake of ours hides none", async () => {
    const asking = objectionToBack({ ...rpmThatIsNever("a mistake"), root }, { after, before });
    await expect(asking).rejects.toMatchObject({ code: "bug" });
  });
});
