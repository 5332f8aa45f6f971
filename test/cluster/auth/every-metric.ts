import { setTimeout as sleep } from "node:timers/promises";
import { call, status } from "./hosts.ts";
import { startWithRollouts } from "./rollout-scene.ts";
import { metricRows, type MetricRow } from "../../metric-rows.ts";

/** Every metric that auth has, as one tells them that has something to say of each. */
export async function everyMetric(): Promise<readonly MetricRow[]> {
  await using running = await startWithRollouts();
  await call(running.stranger, status, {});
  const backup = { headers: { "content-type": "application/connect+json" } };
  await running.ask("ClusterService/Backup", Buffer.from([0, 0, 0, 0, 2, ...Buffer.from("{}")]), backup);
  await running.words();
  await running.write();
  for (;;) {
    const told = await metricsOf(running.auth);
    if (told.includes("svc_auth_rollout_hosts")) return metricRows(told);
    await sleep(20);
  }
}

export async function metricsOf({ diagnosticsPort }: { readonly diagnosticsPort: number }): Promise<string> {
  return (await fetch(`http://127.0.0.1:${diagnosticsPort}/metrics`)).text();
}
