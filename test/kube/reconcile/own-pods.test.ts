import { expect, test } from "vitest";
import type { SeenPod, SeenReplicaSet } from "../../../src/kube/objects/pods.ts";
import { PodSights } from "../../../src/kube/reconcile/own-pods.ts";
import { objectOf, podOf } from "../objects/given.ts";

const [set, deployment] = [objectOf({ uid: "set" }), objectOf({ uid: "deployment", rolloutNumber: "2" })];
const replicaSet = (uid: string, rolloutNumber: string): SeenReplicaSet => ({
  uid,
  owner: "deployment",
  rolloutNumber,
  revision: `hash-${rolloutNumber}`,
});

/** The items of a watch, as they change one by one. */
class Watched<T> {
  readonly items = new Map<string, T>();

  with(name: string, item: T | undefined) {
    if (item === undefined) this.items.delete(name);
    else this.items.set(name, item);
    return { kind: "known", items: this.items, changed: name } as const;
  }

  all() {
    return { kind: "known", items: this.items } as const;
  }
}

function owned(ordinal: number, owner: string): SeenPod {
  return podOf(ordinal, { owner });
}

function namesOf(sights: PodSights, kind: "StatefulSet" | "Deployment"): readonly string[] | "unknown" {
  const own = sights.own(kind, kind === "StatefulSet" ? set : deployment);
  return own === "unknown" ? own : own.pods.map(({ name }) => name);
}

test("each object has the pods that it owns, itself or by its ReplicaSets, and is told of their changes alone", () => {
  const [pods, sets] = [new Watched<SeenPod>(), new Watched<SeenReplicaSet>()];
  const sights = new PodSights();
  expect(namesOf(sights, "StatefulSet")).toBe("unknown");
  pods.with("agent-0", owned(0, "set"));
  expect(sights.takePods(pods.all())).toBe("all");
  expect(namesOf(sights, "StatefulSet")).toEqual(["agent-0"]);
  expect(namesOf(sights, "Deployment")).toBe("unknown");
  expect(sights.takeSets(sets.all())).toBe("all");
  expect(sights.takeSets(sets.with("relay-1", replicaSet("old", "1")))).toEqual(new Set(["deployment"]));
  expect(sights.takeSets(sets.with("relay-2", replicaSet("new", "2")))).toEqual(new Set(["deployment"]));
  expect(sights.own("Deployment", deployment)).toEqual({ pods: [], revision: "hash-2" });
  expect(sights.takePods(pods.with("agent-7", owned(7, "new")))).toEqual(new Set(["deployment"]));
  expect(sights.takePods(pods.with("agent-8", owned(8, "old")))).toEqual(new Set(["deployment"]));
  expect(sights.takePods(pods.with("agent-9", owned(9, "")))).toEqual(new Set([""]));
  expect(namesOf(sights, "Deployment")).toEqual(["agent-7", "agent-8"]);
  expect(namesOf(sights, "StatefulSet")).toEqual(["agent-0"]);
  expect(sights.takePods(pods.with("agent-9", owned(9, "set")))).toEqual(new Set(["", "set"]));
  expect(sights.takePods(pods.with("agent-0", undefined))).toEqual(new Set(["set"]));
  expect(namesOf(sights, "StatefulSet")).toEqual(["agent-9"]);
  sights.takeSets(sets.with("relay-1", undefined));
  expect(namesOf(sights, "Deployment")).toEqual(["agent-7"]);
});

test("while the pods cannot be seen they are not known, and afterwards nothing old is left", () => {
  const pods = new Watched<SeenPod>();
  const sights = new PodSights();
  pods.with("agent-0", owned(0, "set"));
  sights.takePods(pods.all());
  expect(sights.takePods({ kind: "unreachable", message: "connect ECONNREFUSED" })).toBe("all");
  expect(namesOf(sights, "StatefulSet")).toBe("unknown");
  const later = new Watched<SeenPod>();
  later.with("agent-1", owned(1, "set"));
  expect(sights.takePods(later.all())).toBe("all");
  expect(namesOf(sights, "StatefulSet")).toEqual(["agent-1"]);
});
