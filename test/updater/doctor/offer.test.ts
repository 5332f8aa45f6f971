import { describe, expect, test } from "vitest";
import { changeFor, examineOffer, type OfferScene } from "../../../src/updater/doctor/offer.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";
import type { Backoff } from "../../../src/rules/decide/gate-facts.ts";
import type { PackageName } from "../../../src/rules/settings/settings.ts";
import { installed, now, packageVersion, settings, version } from "../pass/given.ts";
import { detected, examiner } from "./given.ts";

const target = { kind: "version", version: version("15.4.6"), told: "the channel serves 15.4.6" } as const;
const offered = [packageVersion("16.0.0-1"), packageVersion("15.4.6-2"), packageVersion("15.4.6-1")];

function scene(changes: Partial<OfferScene> = {}): OfferScene {
  return {
    settings: settings(),
    target,
    detected: detected(),
    examiner: examiner({ listsAskedAt: () => now - 3600 }),
    offers: offered,
    kept: [],
    beside: [],
    backoff: undefined,
    now,
    ...changes,
  };
}

const backoff: Backoff = {
  served: version("15.4.6"),
  cause: { code: "not-offered", message: "", hint: "", causes: [] },
  failures: 1,
  until: now + 60,
};

describe("the change that the next move would be", () => {
  test("is to the very package that a repair puts back, with what moved along, and to none where that is kept", () => {
    const repaired = { ...target, exactly: packageVersion("15.4.6-1") };
    const beside = ["svc-libs" as PackageName];
    expect(changeFor(scene({ target: repaired, beside }))).toMatchObject({ to: "15.4.6-1", beside });
    const kept = [{ packageVersion: repaired.exactly, file: "15.4.6-1.deb", sha256: "", bytes: 1 }];
    expect(changeFor(scene({ target: repaired, beside, kept }))).toBeUndefined();
  });

  test("is none without a version, or without an offer", () => {
    expect(changeFor(scene({ target: { kind: "none", told: "" } }))).toBeUndefined();
    expect(changeFor(scene({ offers: [] }))).toBeUndefined();
  });
});

describe("the offer", () => {
  test("is well where a repository has it and its installation touches nothing else", async () => {
    expect(await examineOffer(scene())).toEqual({
      verdict: "ok",
      told: "the channel serves 15.4.6, and a repository offers it as svc-ent 15.4.6-2; nothing else would be removed or changed",
    });
  });

  test("is not needed for a repair whose package is kept", async () => {
    const kept = [{ packageVersion: packageVersion("15.4.6-1"), file: "15.4.6-1.deb", sha256: "", bytes: 1 }];
    const repaired = { ...target, told: "it is half installed", exactly: packageVersion("15.4.6-1") };
    expect(await examineOffer(scene({ target: repaired, kept, offers: [] }))).toEqual({
      verdict: "ok",
      told: "it is half installed; its package is kept, and nothing has to be offered",
    });
  });

  test("does not go through where the installation would touch others", async () => {
    const refusal = new Fault("plan-refused", { message: "it would remove other", hint: "look" });
    await expect(examineOffer(scene({ detected: detected({ simulate: () => Promise.reject(refusal) }) }))).rejects.toBe(refusal);
  });

  test("is not simulated for a held package: the hold has a line of its own", async () => {
    const unasked = (): Promise<never> => Promise.reject(new Error("simulated"));
    const held = detected({ installed: installed("15.4.5", { isHeld: true }), simulate: unasked });
    expect((await examineOffer(scene({ detected: held }))).verdict).toBe("ok");
  });

  test.each<readonly [string, Partial<OfferScene>, string, string | undefined, RegExp]>([
    ["is not needed", { target: { kind: "none", told: "15.4.5 is installed" } }, "ok", undefined, /nothing has to be offered/],
    ["cannot be judged", { target: { kind: "unknown", told: "nobody knows" } }, "skipped", undefined, /^nobody knows$/],
    [
      "may be in newer lists",
      { offers: offered.slice(0, 1) },
      "warning",
      "refresh",
      /only 16\.0\.0-1; the package lists are of 2027/,
    ],
    [
      "may be in lists",
      { offers: [], examiner: examiner() },
      "warning",
      "refresh",
      /nor any other version; there are no package lists yet/,
    ],
    ["was looked for by a pass", { offers: [], backoff }, "failed", "refresh", /in vain/],
    [
      "is not published",
      { offers: [], examiner: examiner({ listsAskedAt: () => now - 59 }) },
      "failed",
      "look up svc-ent",
      /it is not published where this host looks/,
    ],
  ])("%s", async (_title, changes, verdict, fix, told) => {
    const finding = await examineOffer(scene(changes));
    expect([finding.verdict, finding.fix]).toEqual([verdict, fix]);
    expect(finding.told).toMatch(told);
  });
});
