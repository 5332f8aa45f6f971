import { expect, test } from "vitest";
import { whileLeading } from "../../../src/kube/reconcile/leadership.ts";
import { World } from "./world.ts";

test("who leads no more writes nothing, in the middle of a look too", async () => {
  const world = new World();
  const { api, stopping } = world.scope();
  let isLeading = true;
  const guarded = whileLeading(api, () => isLeading);
  const configMap = { metadata: {}, data: { record: "{}" } };
  expect(await guarded.apply("/configmaps/a", configMap, stopping)).toMatchObject({ kind: "done" });
  isLeading = false;
  const refused = { kind: "unreachable", message: "this updater leads no more" };
  expect(await guarded.apply("/configmaps/a", configMap, stopping)).toEqual(refused);
  expect(await guarded.patch("/statefulsets/agent", [], stopping)).toEqual(refused);
  expect(await guarded.remove("/pods/agent-0", { uid: "a", resourceVersion: "1" }, stopping)).toEqual(refused);
  expect([world.record?.resourceVersion, world.patches, world.deleted]).toEqual(["1", 0, []]);
  expect(guarded.clock()).toBe(world.now);
});
