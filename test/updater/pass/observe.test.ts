import { describe, expect, test } from "vitest";
import type { PassPorts } from "../../../src/updater/pass/pass.ts";
import type { State } from "../../../src/updater/record/state.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import { observe, offerOf } from "../../../src/updater/pass/observe.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { fakeHost, now, packageVersion, serves, stateWith, version } from "./given.ts";

const name = "svc-ent" as PackageName;
const channel = "default" as ChannelName;

function seen(ports: PassPorts, state: State): ReturnType<typeof observe> {
  return observe(ports, { name, channel, pin: undefined, asks: "channel", state });
}

const row = { served: version("15.4.6"), packageVersion: packageVersion("15.4.6-1"), at: now - 60, why: "it was ill" };

describe("looking at the host", () => {
  test("gathers what a decision rests on", async () => {
    const { ports } = fakeHost();
    const { facts } = await seen(ports, stateWith({ moveSeconds: [9] }));
    expect(facts).toMatchObject({
      now,
      installed: { packageVersion: "15.4.5" },
      binary: { kind: "answers", version: "15.4.5" },
      answer: { served: { version: "15.4.6" } },
      offered: undefined,
      schedule: { kind: "windows" },
      agent: "running",
      memory: { moveSeconds: [9], unhealthyPasses: 0 },
    });
  });

  test("asks no binary where the package is not installed: another program may have its name", async () => {
    const { ports } = fakeHost({ installed: { kind: "absent" } });
    const broken = { ...ports, askBinary: async () => ({ kind: "answers", version: version("1.0.0") }) as const };
    expect((await seen(broken, stateWith({}))).facts.binary).toEqual({
      kind: "not-asked",
    });
  });

  test("looks into the repositories only for a version that was rejected here", async () => {
    const offers = ["15.4.7-1", "15.4.6-2", "15.4.6-1"];
    const rejected = fakeHost({ offers });
    const { facts } = await seen(rejected.ports, stateWith({ rejected: [row] }));
    const build = { sha256: undefined, bytes: undefined };
    expect([facts.offered, rejected.did]).toEqual([{ packageVersion: "15.4.6-2", build }, ["offers", "build"]]);
    const other = fakeHost({ offers, answer: serves("15.4.7") });
    await seen(other.ports, stateWith({ rejected: [row] }));
    expect(other.did).toEqual([]);
    const gone = fakeHost({ offers: ["15.4.7-1"] });
    const none = await seen(gone.ports, stateWith({ rejected: [row] }));
    expect([none.facts.offered, none.offers, gone.did]).toEqual([undefined, "known", ["offers"]]);
  });

  test("looks there for the pinned version rather than for the served one", async () => {
    const older = { ...row, served: version("15.4.4"), packageVersion: packageVersion("15.4.4-1") };
    const known = { name, channel, asks: "channel", state: stateWith({ rejected: [older] }) } as const;
    const offers = ["15.4.6-1", "15.4.4-2"];
    const pinned = fakeHost({ offers });
    const { facts } = await observe(pinned.ports, { ...known, pin: { version: version("15.4.4"), reason: undefined } });
    expect(facts.offered?.packageVersion).toBe("15.4.4-2");
    const other = fakeHost({ offers, answer: serves("15.4.4") });
    await observe(other.ports, { ...known, pin: { version: version("15.4.6"), reason: undefined } });
    expect(other.did).toEqual([]);
  });

  test("goes on where the lists of the repositories cannot be read", async () => {
    const { ports } = fakeHost({
      before: () => {
        throw new Fault("install-failed", { message: "the lists could not be parsed", hint: "refresh" });
      },
    });
    const { facts, offers } = await seen(ports, stateWith({ rejected: [row] }));
    expect([facts.offered, offers]).toEqual([undefined, "unknown"]);
  });

  test("counts this look in with those of earlier passes", async () => {
    const { ports } = fakeHost();
    const ill = { ...ports, watchAgent: async () => "unhealthy" as const };
    const state = stateWith({ agent: { bootId: "boot", restarts: 1, unhealthyPasses: 1 } });
    expect((await seen(ill, state)).facts.memory.unhealthyPasses).toBe(2);
  });

  test("asks nobody where that is wanted, and then looks up no offer either", async () => {
    const host = fakeHost();
    const silent = { ...host.ports, askChannel: () => Promise.reject(new Error("asked")) };
    const { facts } = await observe(silent, {
      name,
      channel,
      pin: undefined,
      asks: "nobody",
      state: stateWith({ rejected: [row] }),
    });
    expect(facts).toMatchObject({ answer: { kind: "not-asked" }, offered: undefined, installed: { packageVersion: "15.4.5" } });
    expect(host.did).toEqual([]);
  });

  test("fails as its package manager fails, with no promise left behind", async () => {
    const { ports } = fakeHost();
    const fault = new Fault("manager-unclear", { message: "both", hint: "name one" });
    const unclear = { ...ports, findManager: () => Promise.reject(fault) };
    const leftBehind: unknown[] = [];
    const note = (thrown: unknown): void => void leftBehind.push(thrown);
    process.on("unhandledRejection", note);
    try {
      for (const asks of ["channel", "nobody"] as const) {
        await expect(observe(unclear, { name, channel, pin: undefined, asks, state: stateWith({}) })).rejects.toBe(fault);
      }
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(leftBehind).toEqual([]);
  });
});

test.each([
  [["5:15.4.6-2", "15.4.6-1"], "5:15.4.6-2"],
  [["15.4.7-1", "15.4.6-1"], "15.4.6-1"],
  [["2026-1", "15.4.5-1"], undefined],
  [[], undefined],
])("of the offers %j the first that wraps 15.4.6 is %j", (offers, found) => {
  expect(offerOf(offers.map(packageVersion), version("15.4.6"))).toBe(found);
});
