import { expect, test } from "vitest";
import type { Log } from "../../../src/machine/logging/log.ts";
import { openApiServer, updaterClient } from "../../../src/kube/api-server/api-server.ts";
import { Leadership, whileLeading } from "../../../src/kube/reconcile/leadership.ts";
import { played, refusal } from "../api-server/played.ts";
import { World } from "./world.ts";

test("who leads no more writes nothing, in the middle of a look too", async () => {
  const world = new World();
  const { api, stopping } = world.scope();
  let isLeading = true;
  const guarded = whileLeading(api, () => isLeading);
  const configMap = { metadata: {}, data: { record: "{}" } };
  expect(await guarded.apply("/configmaps/a", configMap, stopping)).toMatchObject({ kind: "done" });
  isLeading = false;
  const refused = { kind: "unreachable", message: "this updater no longer leads" };
  expect(await guarded.apply("/configmaps/a", configMap, stopping)).toEqual(refused);
  expect(await guarded.patch("/statefulsets/agent", [], stopping)).toEqual(refused);
  expect(await guarded.remove("/pods/agent-0", { uid: "a", resourceVersion: "1" }, stopping)).toEqual(refused);
  expect([world.record?.resourceVersion, world.patches, world.deleted]).toEqual(["1", 0, []]);
  expect(guarded.clock()).toBe(world.now);
});

const deadlines = { look: 1, ask: 1, gather: 1, unhealthy: 1, remind: 1, health: 1, settle: 1, free: 1, lease: 30 };

test.each([
  [401, "see that the token of the updater's service account is still valid, and of this cluster"],
  [403, "give the service account list, watch, create and patch on it"],
])("a Lease that is refused with %i is told with what to do", async (status, hint) => {
  await using server = await played(refusal(status, "no"));
  const stopping = new AbortController();
  const api = openApiServer(server.place, updaterClient);
  const told = new Promise((resolve) => {
    const leading = { api, stopping: stopping.signal, environment: {}, changed: () => undefined };
    const common = { namespace: "agents", deadlines };
    const log: Log = (_, message, fields) => resolve({ message, hint: fields?.["hint"] });
    void new Leadership("agent-updater", common, { ...leading, log });
  });
  expect(await told).toEqual({ message: "the Lease cannot be had", hint });
  stopping.abort();
  await api.close();
});
