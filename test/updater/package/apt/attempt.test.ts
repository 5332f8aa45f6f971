import { describe, expect, test } from "vitest";
import { Fault } from "../../../../src/rules/fault/fault.ts";
import { attemptDpkg } from "../../../../src/updater/package/apt/attempt-dpkg.ts";
import { attempt } from "../../../../src/updater/package/apt/attempt.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";
import { saved } from "../saved.ts";

const went: Ended = { status: 0, stdout: "", output: "" };

function failed(name: string): Ended {
  return { status: 100, stdout: "", output: saved(name) };
}

/** Answers one call after the other, and counts. */
function answering(...answers: readonly Ended[]): { readonly act: () => Promise<Ended>; readonly calls: () => number } {
  let calls = 0;
  return { act: async () => answers[(calls += 1) - 1] ?? went, calls: () => calls };
}

const ended = new Fault("install-failed", { message: "apt-get was ended by SIGKILL", hint: "" });

describe("a call of apt that changes the host", () => {
  test.each([
    { title: "which waited for the lock in vain", answers: [failed("lock-waited.txt"), failed("lock-asked.txt")], calls: 2 },
    { title: "which found another lock taken", answers: [failed("lock-lists.txt")], calls: 1 },
  ])("$title names the holder", async ({ answers, calls: expected }) => {
    const { act, calls } = answering(...answers);
    const fault = await attempt({ act }, ["apt-get"], "install x");
    expect(fault).toMatchObject({ code: "manager-busy" });
    expect(fault?.message).toMatch(/^apt is locked\. It is held by process \d+ \(/);
    expect(calls()).toBe(expected);
  });

  test("tells of no fault, and of any", async () => {
    expect(await attempt(answering(went), ["apt-get"], "install x")).toBeUndefined();
    const noSpace = await attempt(answering(failed("install-no-space.txt")), ["apt-get"], "install x");
    expect(noSpace).toMatchObject({ code: "no-space" });
    expect(await attempt({ act: () => Promise.reject(ended) }, ["apt-get"], "install x")).toBe(ended);
  });
});

describe("a call of dpkg that changes the host", () => {
  const told = (actOffline: () => Promise<Ended>): ReturnType<typeof attemptDpkg> =>
    attemptDpkg({ actOffline, root: "/proc/nowhere", patience: { forMs: 4, everyMs: 1 } }, ["dpkg"], "--install x");

  test("is made until the lock is free", async () => {
    const said = { ...went, output: "Setting up svc-ent (15.4.6) ...\n" };
    const { act, calls } = answering(failed("dpkg-locked.txt"), failed("dpkg-locked-within.txt"), said);
    expect(await told(act)).toStrictEqual({ failure: undefined, output: said.output });
    expect(calls()).toBe(3);
  });

  test("is given up in the end, and names the holder by what dpkg says", async () => {
    const { act, calls } = answering(...Array.from({ length: 9 }, () => failed("dpkg-locked.txt")));
    const { failure, output } = await told(act);
    expect(failure).toMatchObject({ code: "manager-busy" });
    expect(failure?.message).toMatch(/^apt is locked\. It is held by process \d+$/);
    expect(output).toBe(saved("dpkg-locked.txt"));
    expect(calls()).toBe(5);
  });

  test("is made once where it is not the lock that it fails for, or is stopped", async () => {
    const { act, calls } = answering(failed("dpkg-unmet.txt"));
    expect(await told(act)).toMatchObject({ failure: { code: "install-failed" }, output: saved("dpkg-unmet.txt") });
    expect(calls()).toBe(1);
    expect(await told(() => Promise.reject(ended))).toStrictEqual({ failure: ended, output: "" });
    let times = 0;
    const cut = (): Promise<Ended> => ((times += 1) === 1 ? Promise.resolve(failed("dpkg-locked.txt")) : Promise.reject(ended));
    // What an earlier try has said is not this one's.
    expect(await told(cut)).toStrictEqual({ failure: ended, output: "" });
  });
});
