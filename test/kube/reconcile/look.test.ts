import { describe, expect, test } from "vitest";
import { printInstant } from "../../../src/rules/window/instant.ts";
import { nothingStands } from "../../../src/kube/objects/move-memory.ts";
import { readKept } from "../../../src/kube/objects/record.ts";
import { look } from "../../../src/kube/reconcile/look.ts";
import type { LookMemory } from "../../../src/kube/reconcile/look-scope.ts";
import type { Seen } from "../../../src/kube/reconcile/watched-objects.ts";
import { World } from "./world.ts";

/** A minute at a time. */
async function play(world: World, minutes = 60): Promise<LookMemory | undefined> {
  let memory: LookMemory | undefined;
  for (let minute = 0; minute < minutes; minute += 1) {
    world.now += 60;
    const looked = await look("time", { seen: world.seen(), memory }, world.scope());
    memory = looked?.memory;
    world.tick();
  }
  return memory;
}

function recordOf({ record }: World) {
  const reading = readKept(record?.record);
  if (reading.kind !== "kept") throw new Error(reading.kind);
  return reading.record;
}

describe("a StatefulSet", () => {
  test("is moved, proven, and told of once", async () => {
    const world = new World();
    await play(world);
    expect(world.pods.map(({ image }) => image)).toEqual(Array(3).fill("svc:15.4.6"));
    expect(recordOf(world)).toMatchObject({ move: undefined, last: { outcome: "proven" }, decision: { why: "current" } });
    expect([world.patches, world.deleted]).toEqual([1, []]);
    expect(world.events.filter((reason) => reason === "Upgraded")).toEqual(["Upgraded"]);
    expect(world.log).toContain("info upgraded (15.4.5 -> 15.4.6)");
  });

  test("names in its move who is passed over", async () => {
    const world = new World();
    const decision = { kind: "stay", why: "suspended", told: "it is suspended" } as const;
    const known = { object: world.seen().object, current: undefined, standing: nothingStands, decision, next: undefined };
    const reference = "statefulset/canary";
    world.all = [
      { reference, channel: "", known },
      { reference: "statefulset/agent", channel: "", known: undefined },
    ];
    await play(world, 3);
    const told = expect.stringMatching(/replaced; passed over: statefulset\/canary \(suspended\)$/);
    expect(recordOf(world).decision).toMatchObject({ why: "moving", told });
  });

  test("has in its record whose window counts", async () => {
    const world = new World();
    await play(world, 1);
    expect(recordOf(world).windowOf).toBe("schedule");
    world.policy = { window: { hourly: [], spans: [] } };
    await play(world, 1);
    expect(recordOf(world).windowOf).toBe("setting");
  });

  test("is taken back from a version whose pods do not get ready, freed, and not moved there again", async () => {
    const world = new World();
    world.served = "15.4.6-bad";
    await play(world);
    expect(world.pods.map(({ image }) => image)).toEqual(Array(3).fill("svc:15.4.5"));
    expect(recordOf(world)).toMatchObject({ last: { outcome: "back" }, decision: { why: "rejected" }, rejected: [{}] });
    expect([world.patches, world.deleted]).toEqual([2, ["svc:15.4.6-bad"]]);
    expect(world.log).toContain("warning taken back (15.4.5 -> 15.4.6-bad): agent-2: its container runs and is not ready");
  });

  test("is taken back from a version that is ready again and again, and never for minReadySeconds", async () => {
    const world = new World();
    world.served = "15.4.6-flaps";
    world.minReadySeconds = 90;
    await play(world);
    expect(world.pods.map(({ image }) => image)).toEqual(Array(3).fill("svc:15.4.5"));
    expect([world.patches, world.deleted]).toEqual([2, ["svc:15.4.6-flaps"]]);
    const why = expect.stringMatching(/^agent-2: (its container runs and is not ready|it does not stay ready for as long as)/);
    expect(recordOf(world)).toMatchObject({ last: { outcome: "back" }, rejected: [{ served: "15.4.6-flaps", why }] });
  });

  test("is told of once its proven version crashes again and again, and again when it does not", async () => {
    const world = new World();
    await play(world, 20);
    expect(recordOf(world)).toMatchObject({ decision: { why: "current" } });
    world.crashes = true;
    await play(world, 20);
    expect(recordOf(world)).toMatchObject({ decision: { why: "unhealthy", lift: expect.stringContaining("svc.dev/rollback") } });
    expect([world.events.at(-1), world.patches]).toEqual(["Unhealthy", 1]);
    world.crashes = false;
    await play(world, 20);
    expect(recordOf(world)).toMatchObject({ decision: { why: "current" } });
  });

  test("says on its way back that the stuck pod may not be deleted, until it may", async () => {
    const world = new World();
    world.served = "15.4.6-bad";
    world.mayDelete = false;
    await play(world, 20);
    const told = expect.stringMatching(
      /; the last try: the stuck pod agent-2 could not be deleted: forbidden; give the service account delete/,
    );
    expect(recordOf(world)).toMatchObject({ decision: { why: "going-back", told }, move: { step: "returning" } });
    expect(world.status).toContain("could not be deleted");
    world.mayDelete = true;
    await play(world, 20);
    expect(recordOf(world)).toMatchObject({ move: undefined, last: { outcome: "back" } });
  });

  test("says that its pods cannot be seen, and goes on with its move when they can", async () => {
    const world = new World();
    await play(world, 4);
    const before = recordOf(world);
    const told = "pods cannot be seen: forbidden";
    const unseen: Partial<Seen> = { own: undefined, blind: { told, record: "known" } };
    for (const hidden of [unseen, { ...unseen, object: undefined }]) {
      const { memory } = (await look("time", { seen: { ...world.seen(), ...hidden }, memory: undefined }, world.scope()))!;
      expect(memory.watched).toBeUndefined();
      expect(recordOf(world)).toMatchObject({ decision: { kind: "stop", code: "api-refused", told } });
      const { move, uid, current } = before;
      expect(recordOf(world)).toMatchObject({ move, uid, current });
    }
    expect(world.status).toMatch(/^decision: stop: pods cannot be seen: forbidden$/m);
    expect(world.events.at(-1)).toBe("ApiRefused");
    await play(world);
    expect(recordOf(world)).toMatchObject({ last: { outcome: "proven" } });
  });

  test("says that its record cannot be seen, and does not write over it", async () => {
    const world = new World();
    const blind = { told: "configmaps cannot be seen: forbidden", record: "unknown" } as const;
    await look("time", { seen: { ...world.seen(), own: undefined, blind }, memory: undefined }, world.scope());
    expect([world.record, world.events]).toEqual([undefined, ["ApiRefused"]]);
  });

  test("says in the ConfigMap that its record cannot be read, once, and leaves it", async () => {
    const world = new World();
    await play(world, 2);
    world.record = { resourceVersion: "100", record: "edited" };
    await play(world, 10);
    expect(world.record).toEqual({ resourceVersion: "101", record: "edited" });
    expect(world.status).toMatch(/^to end it: remove the record: `kubectl -n agents patch configmap [^"]*`$/m);
  });

  test.each([
    ["was seen all the time", "gone back"],
    ["could not be seen meanwhile", "waited on"],
  ])("that makes no progress and %s is %s", async (sight, outcome) => {
    const world = new World();
    world.served = "15.4.6-bad";
    const memory = await play(world, 6);
    expect(recordOf(world)).toMatchObject({ move: { step: "rolling" } });
    world.now += 1200;
    const before = sight === "was seen all the time" ? memory : { ...memory!, watched: undefined };
    await look("time", { seen: world.seen(), memory: before }, world.scope());
    expect(recordOf(world).move?.step).toBe(outcome === "gone back" ? "going-back" : "rolling");
  });

  test("is left alone in the middle of a move while svc.dev/skipreconcile is true", async () => {
    const world = new World();
    world.served = "15.4.6-bad";
    await play(world, 4);
    world.annotations = { "svc.dev/skipreconcile": "true" };
    await play(world, 30);
    expect(recordOf(world)).toMatchObject({ decision: { why: "suspended" }, move: { step: "patched" } });
    expect(world.patches).toBe(1);
    world.annotations = {};
    await play(world);
    expect(recordOf(world)).toMatchObject({ last: { outcome: "back" } });
  });

  test("is left to somebody who has set another image in the middle of a move", async () => {
    const world = new World();
    await play(world, 4);
    world.set("svc:15.4.4");
    await play(world);
    expect(recordOf(world)).toMatchObject({ last: { outcome: "overtaken" }, decision: { why: "set-back" } });
    expect(world.image).toBe("svc:15.4.4");
  });
});

test("nothing is done that could not be written down first", async () => {
  const world = new World();
  const memory = await play(world, 1);
  expect(recordOf(world).move?.step).toBe("begun");
  const seen = world.seen();
  // Another updater has written meanwhile.
  world.record = { ...world.record!, resourceVersion: "9" };
  expect(await look("time", { seen, memory }, world.scope())).toMatchObject({ isOvertaken: true });
  expect(world.patches).toBe(0);
  await play(world);
  expect(recordOf(world)).toMatchObject({ last: { outcome: "proven" } });
});

test("an Event that could not be written is told of once, and written when it may be", async () => {
  const world = new World();
  world.policy = { unscheduled: "wait" };
  world.mayTell = false;
  const looked = await look("event", { seen: world.seen(), memory: undefined }, world.scope());
  expect(looked?.until).toBe(world.now + 600);
  const again = await look("event", { seen: world.seen(), memory: looked?.memory }, world.scope());
  expect(world.log.filter((line) => line.includes("the Event could not be written"))).toHaveLength(1);
  world.mayTell = true;
  const last = await look("event", { seen: world.seen(), memory: again?.memory }, world.scope());
  await look("event", { seen: world.seen(), memory: last?.memory }, world.scope());
  expect(world.events).toEqual(["ScheduleMissing"]);
});

test("why a patch failed is told by a look at once, and tried again after a minute", async () => {
  const world = new World();
  const begun = await play(world, 1);
  world.faults.push("written", "refused");
  const refused = await look("event", { seen: world.seen(), memory: begun }, world.scope());
  expect(recordOf(world).move).toMatchObject({ step: "begun", trouble: "a webhook failed" });
  expect(refused?.until).toBe(world.now);
  world.faults.push("written", "refused");
  expect((await look("event", { seen: world.seen(), memory: refused?.memory }, world.scope()))?.until).toBe(world.now + 60);
  expect(recordOf(world).decision).toMatchObject({ told: expect.stringMatching(/; the last try: a webhook failed$/) });
});

test.each([
  ["the window has closed meanwhile", { unscheduled: "wait" }, "schedule-missing", 0],
  ["a person has asked for it", { unscheduled: "wait" }, "current", 1],
] as const)("a move that has not begun is decided again where the object changes, and %s", async (what, policy, why, patches) => {
  const world = new World();
  if (what === "a person has asked for it") {
    world.policy = policy;
    world.annotations = { "svc.dev/run-now": printInstant(world.now) };
  }
  await play(world, 1);
  expect(recordOf(world).move?.step).toBe("begun");
  world.policy = policy;
  // Somebody has restarted it.
  world.set(world.image);
  world.tick();
  await play(world);
  expect([recordOf(world).decision, world.patches]).toMatchObject([{ why }, patches]);
});

test("an image that an admission webhook rewrites is the one that is proven", async () => {
  const world = new World();
  world.rewrites = (image) => image.replace(/^svc/, "mirror.example/svc");
  await play(world);
  expect(recordOf(world)).toMatchObject({ last: { outcome: "proven", image: "mirror.example/svc:15.4.6" } });
});

describe("what people ask for by annotations", () => {
  const ask = (world: World, name: string): void => {
    world.annotations = { ...world.annotations, [`svc.dev/${name}`]: printInstant(world.now) };
  };

  test("a rollback takes the last move back once, and a retry forgives the version", async () => {
    const world = new World();
    await play(world);
    ask(world, "rollback");
    await play(world);
    expect(recordOf(world)).toMatchObject({ last: { outcome: "back" }, decision: { why: "rejected" } });
    expect([world.image, world.patches]).toEqual(["svc:15.4.5", 2]);
    ask(world, "retry");
    await play(world);
    expect(recordOf(world)).toMatchObject({ last: { outcome: "proven" }, rejected: [] });
    expect([world.image, world.patches, world.deleted]).toEqual(["svc:15.4.6", 3, []]);
  });

  test("a rollback in the middle of a move takes that one back", async () => {
    const world = new World();
    await play(world, 4);
    ask(world, "rollback");
    await play(world);
    expect(recordOf(world)).toMatchObject({ last: { outcome: "back", why: "svc.dev/rollback asks for it" } });
    expect([world.image, world.patches, world.deleted]).toEqual(["svc:15.4.5", 2, []]);
  });

  test.each(["was under way", "began between the decision and the change"])(
    "run-now goes on once the rollout of somebody else is over, which %s",
    async (which) => {
      const world = new World();
      world.policy = { unscheduled: "wait" };
      ask(world, "run-now");
      const isUnderWay = which === "was under way";
      await play(world, isUnderWay ? 0 : 1);
      expect(world.record === undefined ? undefined : recordOf(world).move?.step).toBe(isUnderWay ? undefined : "begun");
      world.set(world.image);
      world.pods.pop();
      const looked = await look("event", { seen: world.seen(), memory: undefined }, world.scope());
      expect(looked).toBeDefined();
      expect(recordOf(world)).toMatchObject({ decision: { why: "rolling" }, move: undefined });
      await play(world);
      expect(recordOf(world)).toMatchObject({ last: { outcome: "proven" } });
      world.served = "15.4.7";
      await play(world);
      expect(recordOf(world)).toMatchObject({ decision: { why: "schedule-missing" } });
    },
  );
});
