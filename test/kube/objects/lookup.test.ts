import { describe, expect, test } from "vitest";
import { decide } from "../../../src/kube/objects/decide-object.ts";
import { decideWith, moveToLookUp, type Found } from "../../../src/kube/objects/lookup.ts";
import type { Standing } from "../../../src/kube/objects/move-memory.ts";
import type { ObjectFacts } from "../../../src/kube/objects/object-facts.ts";
import type { LookupRules } from "../../../src/kube/objects/registry-settings.ts";
import { version } from "../../rules/version/given.ts";
import { given, noMemory, now } from "./given.ts";

const image = "registry.example:5000/svc:15.4.6";
const [digest, other] = [`sha256:${"1".repeat(64)}`, `sha256:${"2".repeat(64)}`];
const there: Found = { kind: "there", digest, lacks: [], before: "there" };
const window = "the maintenance window is open until 2026-11-20T03:00:00Z";

function rejected(...rows: readonly Partial<Standing["rejected"][number]>[]): Partial<ObjectFacts> {
  const row = { served: version("15.4.6"), artifact: image, at: now - 60, why: "it crashed" };
  return {
    memory: { ...noMemory, standing: { ...noMemory.standing, rejected: rows.map((changes) => ({ ...row, ...changes })) } },
  };
}

/** The decision before the registry is asked, and after; undefined: it is not asked. */
function decided(found: Found, rules: Partial<LookupRules> = {}, more: Partial<ObjectFacts> = {}) {
  const [facts, policy] = given(more);
  const before = decide(facts, policy);
  const move = moveToLookUp(before, facts, policy);
  if (move === undefined) return undefined;
  return decideWith(found, move, { facts, policy, rules: { lookup: "prefer", pin: "none", ...rules } });
}

describe("a move", () => {
  test("to an image that is there goes on, by its tag or pinned by its digest, which it remembers", () => {
    expect(decided(there)).toMatchObject({ kind: "move", told: window, target: { image, digest } });
    expect(decided(there, { pin: "digest" })).toMatchObject({
      kind: "move",
      told: window,
      target: { image: `${image}@${digest}`, digest },
    });
  });

  const stays: readonly (readonly [found: Found, rules: Partial<LookupRules>, why: string, told: string])[] = [
    [{ kind: "not-there" }, {}, "not-offered", `the registry does not have ${image}`],
    [{ kind: "lies", why: "another body" }, {}, "digest-mismatch", `${image}: another body`],
    [{ kind: "busy", why: "status 429" }, {}, "registry-busy", `it is not known yet whether there is ${image}: status 429`],
    [
      { kind: "unknown", why: "status 401" },
      { lookup: "require" },
      "not-looked-up",
      `it is not known whether there is ${image}: status 401`,
    ],
    [
      { kind: "unknown", why: "status 401" },
      { pin: "digest" },
      "not-pinned",
      `it is not known whether there is ${image}: status 401`,
    ],
    [
      { ...there, lacks: ["linux/arm64", "linux/arm/v7"] },
      {},
      "not-offered",
      `${image} is not there for linux/arm64, linux/arm/v7, which the image that runs is there for`,
    ],
    [
      { ...there, before: "gone" },
      { lookup: "require" },
      "not-offered",
      "the registry does not have the image that runs any more: there would be no way back",
    ],
  ];
  test.each(stays)("stays where it is %j and %j", (found, rules, why, told) => {
    expect(decided(found, rules)).toMatchObject({ kind: "stay", why, told });
  });

  const doubts: readonly (readonly [found: Found, told: string])[] = [
    [{ ...there, before: "gone" }, "of the image that runs: the registry does not have it any more"],
    [{ ...there, before: { why: "status 403" } }, "of the image that runs: status 403"],
  ];
  test.each(doubts)("goes on where %j, and says so", (found, told) => {
    expect(decided(found)).toMatchObject({ kind: "move", told: `${window}; ${told}`, target: { image } });
  });
});

describe("a rejected version", () => {
  test("stays rejected by the same digest, and is tried again by another one", () => {
    expect(decided(there, {}, rejected({ digest }))).toMatchObject({ kind: "stay", why: "rejected" });
    expect(decided(there, {}, rejected({ digest: other }))).toMatchObject({ kind: "move", target: { digest } });
    expect(decided(there, {}, rejected({ digest: other }, { digest }))).toMatchObject({ kind: "stay", why: "rejected" });
  });

  test("whose digest is not known is not asked for", () => {
    expect(decided(there, {}, rejected({}))).toBeUndefined();
  });

  test("stays rejected where the registry cannot tell", () => {
    expect(decided({ kind: "unknown", why: "status 401" }, {}, rejected({ digest: other }))).toMatchObject({ why: "rejected" });
  });

  test("is known under another tag", () => {
    const earlier = rejected({ served: version("15.4.4"), artifact: "registry.example:5000/svc:15.4.4", digest });
    expect(decided(there, {}, earlier)).toMatchObject({
      kind: "stay",
      why: "rejected",
      told: `${image} is the image that was rejected here as registry.example:5000/svc:15.4.4: it crashed`,
    });
  });
});

test("no other decision asks a registry", () => {
  const [facts, policy] = given({ schedule: { kind: "windows", windows: [{ start: now + 3600, stop: now + 7200 }] } });
  expect(moveToLookUp(decide(facts, policy), facts, policy)).toBeUndefined();
  const [held, holding] = given(rejected({ digest: other }), { hold: { until: undefined, reason: undefined } });
  expect(moveToLookUp(decide(held, holding), held, holding)).toBeUndefined();
});
