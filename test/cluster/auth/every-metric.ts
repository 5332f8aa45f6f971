import { setTimeout as sleep } from "node:timers/promises";
import { call, startWithHosts, status } from "./hosts.ts";
import { metricRows, type MetricRow } from "../../metric-rows.ts";

/** Every metric that auth has, as one tells them that has something to say of each. */
export async function everyMetric(): Promise<readonly MetricRow[]> {
  await using running = await startWithHosts({ limits: { rolloutMs: 20 } });
  await call(running.stranger, status, {});
  const backup = { headers: { "content-type": "application/connect+json" } };
  await running.ask("ClusterService/Backup", Buffer.from([0, 0, 0, 0, 2, ...Buffer.from("{}")]), backup);
  const { trusting } = await running.join("proxy");
  await call(trusting, "RolloutService/GetWords", { served: { default: "v15.4.5" } });
  const spec = { channel: "default", target: "v15.4.6", stages: [{ name: "all", select: "others" }] };
  const resource = { kind: "rollout", version: "v1", metadata: { name: "agents" }, spec };
  await running.ask("ResourceService/CreateResource", { resource });
  for (;;) {
    const told = await metricsOf(running.auth);
    if (told.includes("svc_auth_rollout_hosts")) return metricRows(told);
    await sleep(20);
  }
}

export async function metricsOf({ diagnosticsPort }: { readonly diagnosticsPort: number }): Promise<string> {
  return (await fetch(`http://127.0.0.1:${diagnosticsPort}/metrics`)).text();
}
