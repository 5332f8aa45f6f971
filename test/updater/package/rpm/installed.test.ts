import { assert, integer, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import type { Command, CommandResult } from "../../../../src/machine/processes/command.ts";
import { inspectRpm, installedRows } from "../../../../src/updater/package/rpm/installed.ts";
import type { InstalledPackage } from "../../../../src/updater/plan/host-facts.ts";
import type { PackageName } from "../../../../src/rules/settings/settings.ts";

const agent = "svc-ent" as PackageName;
const own = process.arch === "arm64" ? "aarch64" : "x86_64";

type Printed = { readonly status: number; readonly stdout: string; readonly stderr: string };
const printed = (...rows: readonly string[]): Printed => ({
  status: 0,
  stdout: rows.map((row) => `svc-ent\t${row.replaceAll(" ", "\t")}\n`).join(""),
  stderr: "",
});

async function inspect(answer: Printed, isHeld: "held" | "free" = "free", asked: Command[] = []): Promise<InstalledPackage> {
  const run = (command: Command): Promise<CommandResult> => {
    asked.push(command);
    return Promise.resolve({ kind: "exited", ...answer });
  };
  const [found] = await inspectRpm({ run, root: "/" }, [agent], () => isHeld === "held");
  return found!;
}

describe("what rpm says of a package", () => {
  test("reads the version and the release of a row", async () => {
    expect(await inspect(printed("0 15.4.6 1.el9 noarch 100"))).toEqual({
      kind: "present",
      packageVersion: "15.4.6-1.el9",
      version: "15.4.6",
      condition: "whole",
      isHeld: false,
    });
  });

  test("is whole where another architecture's package stands beside it", async () => {
    const rows = ["0 15.4.6 1 i686 200", `0 15.4.5 1 ${own} 100`];
    expect(await inspect(printed(...rows))).toMatchObject({ packageVersion: "15.4.5-1", condition: "whole" });
    expect(await inspect(printed("0 15.4.6 1 i686 200"))).toMatchObject({ packageVersion: "15.4.6-1" });
  });

  test("cannot be told from a database that cannot be opened", async () => {
    const stderr = "error: cannot open Packages database in /var/lib/rpm\n";
    await expect(inspect({ status: 1, stdout: "package svc-ent is not installed\n", stderr })).rejects.toMatchObject({
      code: "database-broken",
      message: expect.stringMatching(/^rpm cannot read its database: \S.*\S$/) as string,
      hint: "see `sudo rpm -qa`; `sudo rpmdb --rebuilddb` rebuilds its indexes",
    });
  });

  test("is told of several at once, in their order, with one question; and kernels stand beside each other", async () => {
    const asked: Command[] = [];
    const stdout = [
      "package svc-ent-gone is not installed",
      `kernel-core\t0\t6.1.2\t1\t${own}\t90`,
      `kernel-core\t0\t6.1.1\t1\t${own}\t80`,
      `svc-ent\t0\t15.4.6\t1\t${own}\t100`,
      "svc-ent-data\t0\t15.4.6\t1\tnoarch\t102",
      "svc-ent-data\t0\t15.4.5\t1\tnoarch\t101",
      // What rpm takes for a name may be another package's name and version.
      "svc\tent\t9\t1\tnoarch\t110",
    ].join("\n");
    const run = (command: Command): Promise<CommandResult> => {
      asked.push(command);
      return Promise.resolve({ kind: "exited", status: 1, stdout, stderr: "" });
    };
    const names = ["svc-ent-gone", "svc-ent-data", agent, "kernel-core"] as PackageName[];
    expect(await inspectRpm({ run, root: "/" }, names, (name) => name === agent)).toEqual([
      { kind: "absent" },
      expect.objectContaining({ packageVersion: "15.4.6-1", condition: "half-way", isHeld: false }),
      expect.objectContaining({ packageVersion: "15.4.6-1", condition: "whole", isHeld: true }),
      expect.objectContaining({ packageVersion: "6.1.2-1", condition: "whole" }),
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.argv.slice(-4)).toEqual(names);
    expect(await inspectRpm({ run, root: "/" }, [], () => false)).toEqual([]);
    // rpm would take that for a mistake.
    expect(asked).toHaveLength(1);
    const unknown = inspectRpm({ run, root: "/" }, [agent, "other" as PackageName], () => false);
    await expect(unknown).rejects.toMatchObject({ code: "database-broken" });
  });

  test("stops at a version that is none", async () => {
    await expect(inspect(printed(`0 nightly 1 ${own} 100`))).rejects.toMatchObject({
      code: "package-unreadable",
      message: 'rpm says svc-ent is installed in version "nightly-1", which is no version',
      hint: "see `rpm -qi svc-ent`",
    });
  });

  test("ends in an answer or a fault, whatever rpm prints", () => {
    assert(
      property(string(), integer({ min: 0, max: 2 }), (stdout, status) => {
        try {
          return Array.isArray(installedRows({ status, stdout, output: stdout }, agent));
        } catch (thrown) {
          return thrown instanceof Fault;
        }
      }),
    );
  });
});
