import { describe, expect, test } from "vitest";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { againWhenEnded } from "../../../src/updater/package/call/again-when-ended.ts";
import { putHoldBack } from "../../../src/updater/package/apt/hold.ts";
import type { AptCalls } from "../../../src/updater/package/apt/calls.ts";
import { ended } from "../../../src/updater/package/call/result.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";

const name = "svc-ent" as PackageName;
const killed = (): never => ended({ kind: "killed", signal: "SIGKILL", stdout: "", stderr: "" }, "apt-mark") as never;
const done = { status: 0, stdout: "", output: "" };

/** Ended so often, and then left alone. */
function killedTimes(times: number): { readonly calls: Pick<AptCalls, "actOffline">; readonly argvs: unknown[] } {
  const argvs: unknown[] = [];
  const actOffline: AptCalls["actOffline"] = async (argv) => {
    argvs.push(argv);
    return argvs.length > times ? done : killed();
  };
  return { calls: { actOffline }, argvs };
}

describe("a hold that is put back", () => {
  test("is put back all the same where somebody kills what does so", async () => {
    const { calls, argvs } = killedTimes(2);
    await putHoldBack(calls, name, undefined);
    expect(argvs).toHaveLength(3);
    expect(new Set(argvs.map(String)).size).toBe(1);
  });

  test("is nobody's fault where it is killed for good", async () => {
    const { calls, argvs } = killedTimes(99);
    await expect(putHoldBack(calls, name, undefined)).rejects.toMatchObject({ code: "interrupted" });
    expect(argvs).toHaveLength(4);
  });
});

describe("what may be done twice", () => {
  test("is not done again where it failed by itself", async () => {
    let calls = 0;
    const failing = againWhenEnded(async () => {
      calls += 1;
      throw new Fault("install-failed", { message: "m", hint: "h" });
    });
    await expect(failing).rejects.toMatchObject({ code: "install-failed" });
    expect(calls).toBe(1);
  });
});
