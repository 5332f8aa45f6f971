import { describe, expect, test } from "vitest";
import type { State } from "../../../src/updater/record/state.ts";
import {
  fakeHost,
  installed,
  now,
  packageVersion,
  serves,
  stateWith,
  version,
  type FakeHost,
  type FakeOptions,
} from "./given.ts";
import { left, pass } from "./stage.ts";

const cameFrom = { version: version("15.4.5"), packageVersion: packageVersion("5:15.4.5-1"), leftAt: now - 600 };

function host(options: FakeOptions = {}): FakeHost {
  return fakeHost({ installed: installed("5:15.4.6-1"), offers: ["5:15.4.6-1", "5:15.4.5-2", "5:15.4.5-1"], ...options });
}

function goBack(away: Pick<FakeHost, "ports">, state: State = stateWith({ previous: cameFrom })): ReturnType<typeof pass> {
  return pass(away, { asked: { when: "back", absent: "stop" }, state });
}

function tick(away: FakeHost): ReturnType<typeof pass> {
  return pass(away, { values: { unscheduled: "anytime" }, state: left(away) });
}

describe("a pass that goes back", () => {
  test("takes the very package that was installed before, and records what it left", async () => {
    const away = host();
    const record = await goBack(away);
    expect(record).toMatchObject({
      decision: { why: "rollback" },
      outcome: { kind: "moved", from: "5:15.4.6-1", to: "5:15.4.5-1" },
    });
    expect(away.did).toEqual([
      "refresh",
      "offers",
      "simulate 5:15.4.5-1",
      "bring 5:15.4.5-1",
      "fetch 5:15.4.5-1",
      "fetch 5:15.4.6-1",
      "install 5:15.4.5-1 down",
      "activate",
      "health",
    ]);
    expect(left(away)).toMatchObject({
      rejected: [{ served: "15.4.6", packageVersion: "5:15.4.6-1", why: "an administrator went back from it" }],
      previous: undefined,
    });
  });

  test("says why it asks the repositories for a package that should be kept", async () => {
    const away = host();
    const ports = { ...away.ports, whyNotKept: () => "it was damaged" };
    await goBack({ ports });
    expect(away.lines).toContainEqual(
      expect.objectContaining({
        level: "warning",
        sentence: "5:15.4.5-1 is not kept, and the repositories are asked for it: it was damaged",
      }),
    );
    const silent = host();
    await goBack(silent);
    expect(silent.lines.filter(({ sentence }) => sentence.includes("is not kept"))).toEqual([]);
  });

  test("takes another package of that version where the very one is gone", async () => {
    const away = host({ offers: ["5:15.4.6-1", "5:15.4.5-2"] });
    expect((await goBack(away)).outcome).toMatchObject({ kind: "moved", to: "5:15.4.5-2" });
  });

  test("never asks the channel", async () => {
    const away = host();
    const ports = { ...away.ports, askChannel: () => Promise.reject(new Error("the network is down")) };
    const record = await goBack({ ports });
    expect(record).toMatchObject({ served: undefined, outcome: { kind: "moved" } });
  });
});

describe("there and back", () => {
  test("an upgrade leaves a rollback, the rollback bars that version, and a newer one that does well frees it", async () => {
    const away = fakeHost({ offers: ["15.4.7", "15.4.6", "15.4.5"] });
    expect((await tick(away)).outcome).toMatchObject({ kind: "moved", to: "15.4.6" });
    expect((await goBack(away, left(away))).outcome).toMatchObject({ kind: "moved", to: "15.4.5" });
    expect((await tick(away)).decision).toMatchObject({ kind: "stay", why: "rejected" });
    expect((await goBack(away, left(away))).outcome).toMatchObject({ fault: { code: "no-way-back" } });
    expect((await tick(away)).decision).toMatchObject({ kind: "stay", why: "rejected" });
    const newer = { ...away, ports: { ...away.ports, askChannel: async () => serves("15.4.7") } };
    expect((await tick(newer)).outcome).toMatchObject({ kind: "moved", from: "15.4.5", to: "15.4.7" });
    expect(left(away)).toMatchObject({ rejected: [], previous: { version: "15.4.5" } });
    expect((await tick(newer)).decision).toMatchObject({ kind: "stay", why: "current" });
    expect(left(away)).toMatchObject({ rejected: [], previous: { version: "15.4.5" } });
  });
});
