import { expect, test } from "vitest";
import type { ApiServer, Sight } from "../../../src/kube/api-server/api-server.ts";
import { objectOf } from "../objects/given.ts";
import { readUpdaterSettings } from "../../../src/kube/objects/settings.ts";
import { Sights } from "../../../src/kube/reconcile/watched-objects.ts";

const away: Sight<never> = { kind: "unreachable", message: "connect ECONNREFUSED" };

/** One object, of which the watches have told nothing yet; `see` tells what each of them shows. */
function opened() {
  const read = readUpdaterSettings(
    {
      object: { kind: "StatefulSet", name: "agent", container: "svc" },
      endpoint: "https://proxy.example.com",
      window: { utc_start_hour: 3 },
    },
    {
      origin: { kind: "file", path: "/settings.yaml" },
      namespace: "agents",
      apiServer: { url: "https://10.0.0.1", caFile: "/ca", tokenFile: "/token" },
    },
  );
  if (read.kind !== "settings") throw new Error(JSON.stringify(read));
  const told = new Map<string, (sight: Sight<unknown>) => void>();
  const follow: ApiServer["follow"] = ({ path }, seen) => {
    told.set(path.replace(/^.*\//, ""), seen as (sight: Sight<unknown>) => void);
    return Promise.resolve();
  };
  const rings = { count: 0 };
  const stopping = new AbortController().signal;
  const changed = () => void (rings.count += 1);
  const sights = new Sights(read, { api: { follow }, log: () => undefined, stopping, changed });
  const [settings] = read.settings;
  return { sights, settings, one: sights.of(settings.object), told, rings };
}

const known = (items: ReadonlyMap<string, unknown>): Sight<unknown> => ({ kind: "known", items });
const recordAt = (resourceVersion: string) => ({ resourceVersion, record: undefined });
const records = (resourceVersion: string): Sight<unknown> =>
  known(new Map([["statefulset-agent-updater", recordAt(resourceVersion)]]));

test("a look that waited for its own record alone is told when it is seen again", () => {
  const { sights, one, told, rings } = opened();
  for (const [name, see] of told) see(name === "configmaps" ? records("7") : known(new Map()));
  one.wrote(recordAt("7"));
  for (const see of told.values()) see(away);
  for (const [name, see] of told) if (name !== "configmaps") see(known(new Map()));
  expect(sights.isAwaited()).toBe(true);
  const before = rings.count;
  told.get("configmaps")?.(records("7"));
  expect([sights.isAwaited(), rings.count]).toEqual([false, before + 1]);
});

test.each([
  ["its next write is answered", ({ one }: ReturnType<typeof opened>) => one.wrote(recordAt("9"))],
  ["it is seen that it was written", ({ told }: ReturnType<typeof opened>) => told.get("configmaps")?.(records("8"))],
])("a record whose write was not answered is not known to other objects until %s", (_, tells) => {
  const all = opened();
  const { one, told } = all;
  for (const [name, see] of told) see(name === "configmaps" ? records("6") : known(new Map()));
  one.wrote(recordAt("7"));
  one.unsure();
  // That is the write before.
  told.get("configmaps")?.(records("7"));
  expect([one.sure(), one.isUnsure()]).toEqual([undefined, true]);
  tells(all);
  expect([one.sure(), one.isUnsure()]).toEqual([expect.objectContaining({ record: expect.anything() }), false]);
});

test("what is refused of an object is named, and what is refused of others is not", () => {
  const { sights, settings, told } = opened();
  const refused: Sight<never> = { kind: "refused", status: 403, message: "forbidden", causes: [] };
  for (const [name, see] of told) see(name === "configmaps" ? records("7") : known(new Map([["agent", objectOf()]])));
  expect(sights.blind(settings)).toBeUndefined();
  told.get("pods")?.(refused);
  expect(sights.now(settings)).toBeUndefined();
  const blind = { told: "pods cannot be seen: forbidden", record: "known" };
  expect(sights.blind(settings)).toMatchObject({ object: objectOf(), record: recordAt("7"), own: undefined, blind });
  told.get("pods")?.(known(new Map()));
  told.get("configmaps")?.(refused);
  const unseen = "configmaps/statefulset-agent-updater cannot be seen: forbidden";
  expect(sights.blind(settings)).toMatchObject({ record: undefined, blind: { told: unseen, record: "unknown" } });
  expect(sights.blind({ ...settings, object: { ...settings.object, name: "other" } })).toBeUndefined();
});
