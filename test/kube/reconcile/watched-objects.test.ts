import { expect, test } from "vitest";
import type { ApiServer, Sight } from "../../../src/kube/api-server/api-server.ts";
import { readUpdaterSettings } from "../../../src/kube/objects/settings.ts";
import { Sights } from "../../../src/kube/reconcile/watched-objects.ts";

const away: Sight<never> = { kind: "unreachable", message: "connect ECONNREFUSED" };

test("a look that waited for its own record alone is told when it is seen again", () => {
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
  let rings = 0;
  const stopping = new AbortController().signal;
  const sights = new Sights(read, {
    api: { follow },
    log: () => undefined,
    stopping,
    changed: () => (rings += 1),
  });
  const record = { resourceVersion: "7", record: undefined };
  const known = (items: ReadonlyMap<string, unknown>): Sight<unknown> => ({ kind: "known", items });
  const records = known(new Map([["statefulset-agent-updater", record]]));
  for (const name of told.keys()) told.get(name)?.(name === "configmaps" ? records : known(new Map()));
  sights.of(read.settings[0].object).wrote(record);
  for (const see of told.values()) see(away);
  for (const [name, see] of told) if (name !== "configmaps") see(known(new Map()));
  expect(sights.isAwaited()).toBe(true);
  const before = rings;
  told.get("configmaps")?.(records);
  expect([sights.isAwaited(), rings]).toEqual([false, before + 1]);
});
