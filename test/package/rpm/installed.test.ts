import { assert, integer, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/fault/fault.ts";
import type { Command, CommandResult } from "../../../src/host/command.ts";
import { inspectRpm, installedRows } from "../../../src/package/rpm/installed.ts";
import type { InstalledPackage } from "../../../src/plan/facts.ts";
import type { PackageName } from "../../../src/settings/settings.ts";

const agent = "svc-ent" as PackageName;
const own = process.arch === "arm64" ? "aarch64" : "x86_64";

type Printed = { readonly status: number; readonly stdout: string; readonly stderr: string };
const printed = (...rows: readonly string[]): Printed => ({
  status: 0,
  stdout: rows.map((row) => `${row.replaceAll(" ", "\t")}\n`).join(""),
  stderr: "",
});

async function inspect(answer: Printed, isHeld: "held" | "free" = "free", asked: Command[] = []): Promise<InstalledPackage> {
  const run = (command: Command): Promise<CommandResult> => {
    asked.push(command);
    return Promise.resolve({ kind: "exited", ...answer });
  };
  return inspectRpm({ run, root: "/" }, agent, () => isHeld === "held");
}

describe("what rpm says of a package", () => {
  test.each([
    { row: `0 15.4.6 1 ${own} 100`, packageVersion: "15.4.6-1", version: "15.4.6" },
    { row: "0 15.4.6 1.el9 noarch 100", packageVersion: "15.4.6-1.el9", version: "15.4.6" },
    { row: `5 15.4.6 1 ${own} 100`, packageVersion: "5:15.4.6-1", version: "15.4.6" },
    { row: `0 15.4.6~rc.1 1 ${own} 100`, packageVersion: "15.4.6~rc.1-1", version: "15.4.6-rc.1" },
    { row: `0 15.4.6_rc.1 1 ${own} 100`, packageVersion: "15.4.6_rc.1-1", version: "15.4.6-rc.1" },
    { row: `0 2026a 1 ${own} 100`, packageVersion: "2026a-1", version: undefined },
  ])("reads $row as $packageVersion", async ({ row, packageVersion, version }) => {
    expect(await inspect(printed(row))).toEqual({ kind: "present", packageVersion, version, condition: "whole", isHeld: false });
  });

  test("is asked in a fixed locale, of the package alone", async () => {
    const asked: Command[] = [];
    await inspect(printed(`0 15.4.6 1 ${own} 100`), "free", asked);
    expect(asked).toEqual([
      expect.objectContaining({ env: expect.objectContaining({ LC_ALL: "C.UTF-8", LANGUAGE: "" }) as object }),
    ]);
    expect(asked[0]?.argv.at(-1)).toBe(agent);
  });

  test("is absent when rpm has never heard of it", async () => {
    const answer = { status: 1, stdout: "package svc-ent is not installed\n", stderr: "" };
    expect(await inspect(answer)).toEqual({ kind: "absent" });
  });

  test.each([
    { title: "an upgrade", rows: [`0 15.4.5 1 ${own} 100`, `0 15.4.6 1 ${own} 200`], now: "15.4.6-1" },
    { title: "a way back", rows: [`0 15.4.5 1 ${own} 200`, `0 15.4.6 1 ${own} 100`], now: "15.4.5-1" },
    { title: "an installation once more", rows: [`0 15.4.5 1 ${own} 100`, `0 15.4.5 1 ${own} 200`], now: "15.4.5-1" },
    { title: "a change of the architecture", rows: ["0 15.4.5 1 noarch 100", `0 15.4.6 1 ${own} 200`], now: "15.4.6-1" },
  ])("is half-way after $title that was cut off, at the version that was put there last", async ({ rows, now }) => {
    expect(await inspect(printed(...rows))).toMatchObject({ packageVersion: now, condition: "half-way" });
  });

  test("is whole where another architecture's package stands beside it", async () => {
    const rows = ["0 15.4.6 1 i686 200", `0 15.4.5 1 ${own} 100`];
    expect(await inspect(printed(...rows))).toMatchObject({ packageVersion: "15.4.5-1", condition: "whole" });
    expect(await inspect(printed("0 15.4.6 1 i686 200"))).toMatchObject({ packageVersion: "15.4.6-1" });
  });

  test("is held when the manager's own list says so", async () => {
    expect(await inspect(printed(`0 15.4.6 1 ${own} 100`), "held")).toMatchObject({ isHeld: true });
  });

  test.each([
    {
      title: "that cannot be opened",
      stdout: "package svc-ent is not installed\n",
      stderr: "error: cannot open Packages database in /var/lib/rpm\n",
    },
    { title: "that is broken", stdout: "", stderr: "error: rpmdb: damaged header #7 retrieved -- skipping.\n" },
    { title: "of which rpm says nothing that is known", stdout: "", stderr: "what is this\n" },
  ])("cannot be told from a database $title", async ({ stdout, stderr }) => {
    await expect(inspect({ status: 1, stdout, stderr })).rejects.toMatchObject({ code: "database-broken" });
  });

  test("stops at a version that is none", async () => {
    await expect(inspect(printed(`0 nightly 1 ${own} 100`))).rejects.toMatchObject({ code: "package-unreadable" });
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
