import { expect, test } from "vitest";
import { begin } from "../../../src/kube/objects/advance.ts";
import type { Move } from "../../../src/kube/objects/object-decision.ts";
import { nothingStands, type Ended, type Standing } from "../../../src/kube/objects/move-memory.ts";
import type { SeenObject } from "../../../src/kube/objects/seen.ts";
import { takeStep, type StepSight } from "../../../src/kube/objects/take-step.ts";
import { version } from "../../rules/version/given.ts";
import { now, objectOf } from "./given.ts";

const [older, newer, rejectedOne] = [version("15.4.5"), version("15.4.7"), version("15.4.6")];
const policy = {
  object: { namespace: "agents", kind: "StatefulSet", name: "agent", container: "svc" },
  healthSeconds: 600,
  settleSeconds: 30,
  freeSeconds: 60,
} as const;

function sightOf(image: string, changes: Partial<SeenObject> = {}, mode: StepSight["mode"] = "auto"): StepSight {
  const imageSetters = [{ container: "svc", manager: "helm", operation: "Apply", time: "" }];
  const object = objectOf({ containers: [{ name: "svc", image }], imageSetters, ...changes });
  const current = image === "svc:15.4.6" ? rejectedOne : older;
  const own = { pods: [], revision: "b" };
  return {
    now,
    object,
    own,
    container: "svc",
    current,
    mode,
    isServerAway: false,
    wanted: undefined,
    seenSince: 0,
    excusedAt: 0,
  };
}

const last: Ended = {
  outcome: "proven",
  from: older,
  to: newer,
  imageBefore: "svc:15.4.5",
  image: "svc:15.4.7",
  at: now - 60,
  why: undefined,
};

test("what a tool did at rest is noted", () => {
  const step = takeStep({ ...nothingStands, last }, sightOf("svc:15.4.5"), policy);
  expect(step).toMatchObject({ taken: undefined, standing: { last: { outcome: "reset" } } });
});

test.each<readonly [string, StepSight]>([
  ["of a suspended object", sightOf("svc:15.4.5", { hasAnnotations: true, skip: "true" })],
  ["of what a GitOps tool owns", sightOf("svc:15.4.5", { gitOps: "argocd-controller" })],
  ["where it only reports", sightOf("svc:15.4.5", {}, "report")],
])("what a tool did is left %s", (_, sight) => {
  const standing = { ...nothingStands, last };
  expect(takeStep(standing, sight, policy).standing).toBe(standing);
});

/** The image of a move to 15.4.7 is set. */
function moving(more: Partial<Standing> = {}): Standing {
  const target = { kind: "upgrade", from: older, to: newer, image: "svc:15.4.7" } as const;
  const decision: Move = { kind: "move", why: "window", told: "the window is open", target };
  const { move, ...standing } = begin({ ...nothingStands, ...more }, decision, sightOf("svc:15.4.5"));
  return { ...standing, move: { ...move, step: "rolling" } };
}

test("a tool that ends a move has reset it", () => {
  const step = takeStep(moving(), sightOf("svc:15.4.5"), policy);
  expect(step).toMatchObject({
    taken: { said: undefined },
    standing: { move: undefined, last: { outcome: "reset" }, resets: [{ served: "15.4.7", times: 1 }] },
  });
});

test("a tool that ends a move with a rejected version is answered at once", () => {
  const rejected = [{ served: rejectedOne, artifact: "svc:15.4.6", at: now - 60, why: "it was not ready" }];
  const step = takeStep(moving({ rejected }), sightOf("svc:15.4.6"), policy);
  expect(step).toMatchObject({
    taken: { said: { why: "going-back" }, change: { kind: "patch" } },
    standing: { move: { step: "going-back", imageBefore: "svc:15.4.5" }, last: { outcome: "overtaken" } },
  });
});

test("a move that goes on is only advanced", () => {
  expect(takeStep(moving(), sightOf("svc:15.4.7"), policy)).toMatchObject({
    taken: { said: { why: "moving" } },
    standing: { move: { step: "rolling" } },
  });
});
