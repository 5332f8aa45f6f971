import { call, startWithHosts, status } from "./hosts.ts";
import { metricRows, type MetricRow } from "../../metric-rows.ts";

/** Every metric that auth has, as one tells them that has something to say of each. */
export async function everyMetric(): Promise<readonly MetricRow[]> {
  await using running = await startWithHosts();
  await call(running.stranger, status, {});
  const backup = { headers: { "content-type": "application/connect+json" } };
  await running.ask("ClusterService/Backup", Buffer.from([0, 0, 0, 0, 2, ...Buffer.from("{}")]), backup);
  return metricRows(await metricsOf(running.auth));
}

export async function metricsOf({ diagnosticsPort }: { readonly diagnosticsPort: number }): Promise<string> {
  return (await fetch(`http://127.0.0.1:${diagnosticsPort}/metrics`)).text();
}
