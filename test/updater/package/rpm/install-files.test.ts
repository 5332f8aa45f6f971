import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import type { RpmCalls } from "../../../../src/updater/package/rpm/calls.ts";
import type { InstalledRow } from "../../../../src/updater/package/rpm/installed.ts";
import { rpmThatIsNever } from "./never.ts";
import { change, cut, installFile, missingTools, rpmHost, timeout, type Built, type RpmHost, row } from "./on-host.ts";

const missing = missingTools();

let host: RpmHost;
beforeEach(async () => void (missing === undefined && (host = await rpmHost())));
afterEach(async () => void (missing === undefined && (await host.remove())));

/** Builds it and installs it as an admin does. */
async function installed(built: Built): Promise<string> {
  const file = await host.build(built);
  await host.rpm("-U", "--oldpackage", file);
  return file;
}

const conf = (): Promise<string> => readFile(join(host.root, "etc/svc-ent.conf"), "utf8");

describe.skipIf(missing !== undefined)("a file that rpm installs", { timeout }, () => {
  test("goes up, down and to the very same, over an epoch and back", async () => {
    const old = await host.build({ version: "15.4.5" });
    const files = { "15.4.6-1": { version: "15.4.6" }, "5:15.4.4-1": { version: "15.4.4", epoch: 5 } };
    for (const [to, built] of Object.entries(files)) {
      const file = await host.build(built);
      for (const [version, path] of [
        [to, file],
        [to, file],
        ["15.4.5-1", old],
        ["15.4.5-1", old],
      ] as const) {
        await installFile(host.calls, change(version), path);
        expect(await host.versions()).toEqual([version]);
        expect(await host.content()).toBe(`${version.replace(/^\d+:|-1$/g, "")}\n`);
      }
    }
  });

  test("leaves edited settings alone, and takes those that nobody has edited along, also after a cut", async () => {
    const old = await installed({ version: "15.4.5" });
    const next = await host.build({ version: "15.4.6", scripts: { post: cut } });
    await host.rpm("-U", next);
    expect(await host.versions()).toEqual(["15.4.5-1", "15.4.6-1"]);
    await installFile(host.calls, change("15.4.5-1"), old);
    expect(await host.versions()).toEqual(["15.4.5-1"]);
    expect(await conf()).toBe("15.4.5\n");
    await writeFile(join(host.root, "etc/svc-ent.conf"), "edited\n");
    await installFile(host.calls, change("15.4.7-1"), await host.build({ version: "15.4.7" }));
    expect(await conf()).toBe("edited\n");
  });

  test("is in place although the version before refuses to go", async () => {
    const old = await installed({ version: "15.4.5" });
    await installed({ version: "15.4.6", scripts: { preun: 'error("I stay")' } });
    await installFile(host.calls, change("15.4.5-1"), old);
    expect([await host.versions(), await host.content()]).toEqual([["15.4.5-1"], "15.4.5\n"]);
  });

  test.each([
    { title: "after the files", script: "post", at: "15.4.7-1" },
    { title: "before the files", script: "pre", at: "15.4.5-1" },
  ])("fails with its script $title, which rpm calls a success or not", async ({ script, at }) => {
    await installed({ version: "15.4.5" });
    const file = await host.build({ version: "15.4.7", scripts: { [script]: 'error("it fails")' } });
    await expect(installFile(host.calls, change("15.4.7-1"), file)).rejects.toMatchObject({
      code: "install-failed",
      message: expect.stringMatching(/^a script of svc-ent 15\.4\.7-1 failed: .*it fails/) as string,
    });
    expect(await host.versions()).toEqual([at]);
  });

  test("is refused, with nothing done, where another package needs what would go, or would go itself", async () => {
    await installed({ version: "15.4.5" });
    await installed({ name: "companion", version: "1.0", tags: "Requires: svc-ent < 15.4.6" });
    const rows = [
      { built: { version: "15.4.6" }, says: "svc-ent < 15.4.6 is needed by (installed) companion-1.0-1.noarch" },
      { built: { version: "15.4.7", tags: "Requires: nowhere" }, says: "nowhere is needed by svc-ent-15.4.7-1.noarch" },
      { built: { version: "15.4.4", tags: "Obsoletes: companion < 2" }, says: "would remove companion" },
      { built: { version: "15.4.3", tags: "Obsoletes: companion" }, says: "would remove companion" },
      { built: { version: "15.4.2", tags: "Conflicts: companion" }, says: "companion conflicts with svc-ent" },
    ];
    for (const { built, says } of rows) {
      const attempt = installFile(host.calls, change(`${built.version}-1`), await host.build(built));
      await expect(attempt).rejects.toMatchObject({ code: "plan-refused", message: expect.stringContaining(says) as string });
      expect(await host.versions()).toEqual(["15.4.5-1"]);
      expect(await host.rpm("-q", "companion")).toBe("companion-1.0-1.noarch\n");
    }
    const harmless = await host.build({ version: "15.4.1", tags: "Obsoletes: companion < 1, svc-ent < 15" });
    await installFile(host.calls, change("15.4.1-1"), harmless);
    expect(await host.versions()).toEqual(["15.4.1-1"]);
  });

  test("is refused where it has another byte in it", async () => {
    await installed({ version: "15.4.5" });
    const file = await host.build({ version: "15.4.6" });
    const bytes = await readFile(file);
    bytes[bytes.length - 20]! ^= 1;
    await writeFile(file, bytes);
    await expect(installFile(host.calls, change("15.4.6-1"), file)).rejects.toMatchObject({
      code: "file-failed",
      message: expect.stringContaining("does not verify") as string,
    });
    expect([await host.versions(), await host.content()]).toEqual([["15.4.5-1"], "15.4.5\n"]);
  });
});

describe("a file that rpm does not install, and says nothing of it", () => {
  /** An rpm that ends with that status, and leaves the database as it is, or adds a row. */
  function silentRpm(status: number, before: InstalledRow | undefined, added?: InstalledRow): RpmCalls {
    let rows = before === undefined ? [] : [before];
    return {
      ...rpmThatIsNever("not asked for here"),
      rows: async () => rows,
      ask: async () => ({ status: 1, stdout: "", output: "" }),
      act: async () => {
        if (added !== undefined) rows = [added];
        return { status, stdout: "", output: "" };
      },
    };
  }

  test.each([
    { title: "another version stays", status: 0, before: row("15.4.5", 7), says: "installed is 15.4.5-1" },
    { title: "the very same stays, and was not laid over", status: 0, before: row("15.4.6", 7), says: "installed is 15.4.6-1" },
    { title: "the very same stays, and it failed", status: 1, before: row("15.4.6", 7), says: "rpm" },
    { title: "another came", status: 0, before: row("15.4.5", 7), added: row("15.4.7", 8), says: "installed is 15.4.7-1" },
  ])("is told of where $title", async ({ status, before, added, says }) => {
    await expect(installFile(silentRpm(status, before, added), change("15.4.6-1"), "/kept.rpm")).rejects.toMatchObject({
      code: "install-failed",
      message: expect.stringContaining(says) as string,
    });
  });

  test.each([
    { title: "over another version", before: row("15.4.5", 7), instance: 8 },
    { title: "over the very same", before: row("15.4.6", 7), instance: 8 },
    { title: "where there was none", before: undefined, instance: 1 },
  ])("is done where it is there again, $title, whatever rpm's status", async ({ before, instance }) => {
    const calls = silentRpm(1, before, row("15.4.6", instance));
    await expect(installFile(calls, change("15.4.6-1"), "/kept.rpm")).resolves.toBeUndefined();
  });

  test("is told with what is there and what rpm said, and where to look", async () => {
    const silent = silentRpm(0, undefined);
    await expect(installFile(silent, change("15.4.6-1"), "/kept.rpm")).rejects.toMatchObject({
      message: "svc-ent 15.4.6-1 was not installed from its file: installed is nothing, and rpm says nothing",
      hint: "see `rpm -q svc-ent`",
    });
    const talking = { ...silent, act: async () => ({ status: 0, stdout: "", output: `said ${"x".repeat(400)}\n` }) };
    await expect(installFile(talking, change("15.4.6-1"), "/kept.rpm")).rejects.toThrow(/and rpm says said x{195}…$/);
  });

  test("is looked at first, and lets what is left of another transaction make way", async () => {
    const header =
      (text: string): RpmCalls["ask"] =>
      async (args) => ({
        status: 0,
        stdout: args.some((arg) => arg.includes("EPOCHNUM")) ? `${text}\t1\tnoarch\n` : "",
        output: "",
      });
    const acted: string[] = [];
    const calls = silentRpm(0, row("15.4.5", 7), row("15.4.6", 8));
    const act: RpmCalls["act"] = async (...given) => {
      acted.push(given[0].join(" "));
      return calls.act(...given);
    };
    for (const text of ["other\t0\t15.4.6", "svc-ent\t0\t15.4.7"]) {
      await expect(installFile({ ...calls, act, ask: header(text) }, change("15.4.6-1"), "/kept.rpm")).rejects.toMatchObject({
        code: "file-failed",
        message: `/kept.rpm is ${text.replace("\t0\t", " ")}-1, and not svc-ent 15.4.6-1`,
        hint: "remove the file, and have the package downloaded once more",
      });
    }
    expect(acted).toEqual([]);
    let asked = 0;
    let rows = [row("15.4.4", 6), row("15.4.5", 7)];
    const whole: RpmCalls = {
      ...calls,
      ask: header("svc-ent\t0\t15.4.6"),
      rows: async () => {
        if ((asked += 1) === 1) throw new Fault("database-broken", { message: "damaged", hint: "look" });
        return rows;
      },
      act: async (args) => {
        acted.push(args.join(" "));
        if (args[0] === "-e") rows = [row("15.4.5", 7)];
        if (args[0] === "-U") rows = [row("15.4.6", 8)];
        return { status: 0, stdout: "", output: "" };
      },
    };
    await installFile(whole, change("15.4.6-1"), "/kept.rpm");
    expect(acted).toEqual([
      "--rebuilddb",
      "-e --allmatches --noscripts --nodeps svc-ent-15.4.4-1.noarch",
      "-U -v --oldpackage --replacepkgs /kept.rpm",
    ]);
  });

  test("that fails is told by the command that an administrator would type", async () => {
    const failing = { ...silentRpm(1, row("15.4.5", 7)), act: async () => ({ status: 1, stdout: "", output: "error: no\n" }) };
    await expect(installFile(failing, change("15.4.6-1"), "/kept.rpm")).rejects.toThrow(
      "rpm -U --oldpackage --replacepkgs /kept.rpm failed: error: no",
    );
  });

  test("of which two stay although one was to go is told", async () => {
    const before = [row("15.4.5", 7)];
    let rows = before;
    const calls: RpmCalls = {
      ...silentRpm(0, undefined),
      rows: async () => rows,
      act: async (args) => {
        if (args[0] === "-U") rows = [...before, row("15.4.6", 8)];
        return { status: 0, stdout: "", output: "" };
      },
    };
    await expect(installFile(calls, change("15.4.6-1"), "/kept.rpm")).rejects.toThrow("installed is 15.4.5-1 and 15.4.6-1");
  });

  test("whose script was ended by somebody is nobody's fault", async () => {
    const said = "warning: %post(svc-ent-15.4.6-1.noarch) scriptlet failed, signal 9\n";
    const calls = silentRpm(0, row("15.4.5", 7), row("15.4.6", 8));
    const killed = {
      ...calls,
      act: async (...given: Parameters<RpmCalls["act"]>) => ({ ...(await calls.act(...given)), output: said }),
    };
    await expect(installFile(killed, change("15.4.6-1"), "/kept.rpm")).rejects.toMatchObject({
      code: "interrupted",
      message: `a script of svc-ent 15.4.6-1 failed: ${said.trim()}`,
    });
  });
});
