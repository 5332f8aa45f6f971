import { expect, test } from "vitest";
import { startWithHosts } from "./hosts.ts";

test("events that are older than the audit keeps go, while auth runs", async () => {
  await using running = await startWithHosts({ limits: { lookMs: 20 }, times: { auditSeconds: 3600 } });
  const old = await running.store.events({ most: 1 });
  expect(old).toHaveLength(1);
  running.clock.ahead += 3601;
  await running.join("node");
  const names = async (): Promise<readonly string[]> => (await running.store.events({ most: 100 })).map(({ event }) => event);
  await expect.poll(names).not.toContain("cluster.begun");
  expect(await names()).toContain("token.used");
});
