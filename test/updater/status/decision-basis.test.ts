import { expect, test } from "vitest";
import { basisOf } from "../../../src/updater/status/decision-basis.ts";
import { takeNotes } from "../../../src/updater/status/notes.ts";
import { fakeHost, now, packageVersion, settings, stateWith, version } from "../pass/given.ts";

test("what is offered is looked up for the pinned version, and not for the one served last", async () => {
  const rejected = [{ served: version("15.4.6"), packageVersion: packageVersion("15.4.6-1"), at: now - 60, why: "it was ill" }];
  const lastContact = { at: now - 60, served: version("15.4.7"), isCritical: false };
  const { ports } = fakeHost({ offers: ["15.4.7-1", "15.4.6-2"] });
  const scope = { state: stateWith({ rejected, lastContact }), userId: 0, notes: takeNotes() };
  const offered = async (values: object): Promise<unknown> => {
    const basis = await basisOf(ports, { ...scope, settings: settings(values) });
    return basis.kind === "facts" ? basis.facts.offered?.packageVersion : basis;
  };
  expect(await offered({})).toBeUndefined();
  expect(await offered({ pin: { version: "15.4.6" } })).toBe("15.4.6-2");
});
