import { describe, expect, test } from "vitest";
import type { CommandResult } from "../../../../src/machine/processes/command.ts";
import { actWhenFree } from "../../../../src/updater/package/rpm/act-when-free.ts";
import { rpmCalls, type RpmCalls } from "../../../../src/updater/package/rpm/calls.ts";

import { rpmThatIsNever } from "./never.ts";
import { agent } from "./on-host.ts";

const exited = (status: number, stdout: string = "", stderr: string = ""): CommandResult => ({
  kind: "exited",
  status,
  stdout,
  stderr,
});

type Call = { readonly line: string; readonly what?: string; readonly timeoutMs?: number; readonly env: object };

function rpm(
  root: string,
  result: CommandResult = exited(0),
): { readonly calls: ReturnType<typeof rpmCalls>; readonly did: Call[] } {
  const did: Call[] = [];
  const run = async ({ argv, ...more }: Omit<Call, "line"> & { readonly argv: readonly string[] }): Promise<CommandResult> => {
    did.push({ line: argv.join(" "), ...more });
    return result;
  };
  return { calls: rpmCalls({ root, run, transact: run }), did };
}

describe("the calls of rpm", () => {
  test("work below the root, in a fixed locale, and questions do not take for ever", async () => {
    const { calls, did } = rpm("/mnt");
    await calls.ask(["-q", agent]);
    await calls.judge("/kept/a.rpm");
    await calls.act(["-U", "/kept/a.rpm"], "rpm -U");
    await calls.rehearse("/var/lib/copy", ["-U", "/kept/a.rpm"], "rpm --test");
    await calls.rows(agent).catch(() => undefined);
    expect(did.map(({ line }) => line)).toEqual([
      "rpm --root /mnt -q svc-ent",
      "rpmkeys --root /mnt --checksig --nosignature /kept/a.rpm",
      "rpm --root /mnt -U /kept/a.rpm",
      "timeout --kill-after=10 300 rpm --root /mnt --dbpath /var/lib/copy -U /kept/a.rpm",
      expect.stringMatching(/^rpm --root \/mnt -q --qf .* svc-ent$/),
    ]);
    expect(did.map(({ what, timeoutMs }) => what ?? timeoutMs)).toEqual([60_000, 60_000, "rpm -U", "rpm --test", 20_000]);
    for (const { env } of did)
      expect(env).toMatchObject({ LC_ALL: "C.UTF-8", LANGUAGE: "", PATH: expect.stringContaining("/usr/bin") as string });
  });

  test("work on the machine itself without a word of a root", async () => {
    const { calls, did } = rpm("/");
    await calls.ask(["-qa"]);
    expect(did[0]?.line).toBe("rpm -qa");
  });

  test("tell a whole file from a damaged one by what rpm ends with", async () => {
    expect(await rpm("/").calls.judge("/a.rpm")).toBe("whole");
    expect(await rpm("/", exited(1)).calls.judge("/a.rpm")).toBe("spoilt");
  });

  test("bring back what rpm ended with, and the rows of a package in the order in which they were written", async () => {
    const { calls } = rpm("/", exited(3, "svc-ent\t0\t2\t1\tnoarch\t9\nsvc-ent\t0\t1\t1\tnoarch\t10\n", "warning\n"));
    const ended = { status: 3, output: expect.stringContaining("warning") as string };
    expect(await calls.act(["-U"], "rpm -U")).toMatchObject(ended);
    expect(await calls.rehearse("/copy", ["-U"], "rpm -U")).toMatchObject(ended);
    expect((await calls.rows(agent)).map(({ version }) => version)).toEqual(["2", "1"]);
  });

  test.each([
    ["a look at a file", (calls: RpmCalls) => calls.judge("/a.rpm")],
    ["a change", (calls: RpmCalls) => calls.act(["-U"], "rpm -U")],
    ["a rehearsal", (calls: RpmCalls) => calls.rehearse("/copy", ["-U"], "rpm -U")],
  ])("say so where rpm is missing: %s", async (_title, call) => {
    const { calls } = rpm("/", { kind: "not-started", reason: "missing", message: "no such file" });
    await expect(call(calls)).rejects.toMatchObject({
      code: "host-unsupported",
      message: expect.stringMatching(/^rpm(?:keys)? is not installed$/) as string,
    });
  });
});

describe("rpm while another one is at work", () => {
  const busy = "error: can't create transaction lock on /var/lib/rpm/.rpm.lock (Resource temporarily unavailable)\n";
  const waiting = (
    answers: readonly [number, string][],
    holder?: { pid: number; program: string },
  ): { come: Promise<unknown>; whats: string[] } => {
    const whats: string[] = [];
    const left = [...answers];
    const act = async (_: readonly string[], what: string): Promise<{ status: number; stdout: string; output: string }> => {
      whats.push(what);
      const [status, output] = (left.length > 1 ? left.shift() : left[0]) ?? [0, ""];
      return { status, stdout: "", output };
    };
    const calls = { ...rpmThatIsNever("not asked for here"), act, lockHolder: () => holder, patience: { forMs: 3, everyMs: 1 } };
    return { come: actWhenFree(calls, ["-U", "-v", "a.rpm"], "-U a.rpm").catch((thrown: unknown) => thrown), whats };
  };

  test("is tried again until it is free, and told by the words of an admin", async () => {
    const { come, whats } = waiting([
      [1, busy],
      [1, busy],
      [0, "done"],
    ]);
    expect(await come).toMatchObject({ status: 0, output: "done" });
    expect(whats).toEqual(["rpm -U a.rpm", "rpm -U a.rpm", "rpm -U a.rpm"]);
  });

  test("is given up when the time is up, with who it is where that is seen", async () => {
    const { come, whats } = waiting([[1, busy]], { pid: 7, program: "dnf" });
    expect(await come).toMatchObject({
      code: "manager-busy",
      message: "rpm's database is locked. It is held by process 7 (dnf)",
    });
    expect(whats).toHaveLength(4);
    expect(await waiting([[1, busy]]).come).toMatchObject({
      code: "manager-busy",
      message: expect.stringMatching(/^rpm -U a\.rpm failed: /) as string,
    });
  });

  test("is not tried again where it failed otherwise, or says so and went well", async () => {
    for (const answer of [
      [1, "error: open of a.rpm failed\n"],
      [0, busy],
    ] as const) {
      const { come, whats } = waiting([[...answer]]);
      expect(await come).toMatchObject({ status: answer[0] });
      expect(whats).toHaveLength(1);
    }
  });
});
