import { build } from "../host/build.ts";
import type { Live } from "./live.ts";
import { latencyBuckets } from "./meter.ts";

type Metric = {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly lines: readonly string[];
};

/** Prometheus's text format. */
export function exposition(live: Live): string {
  return metricsOf(live)
    .filter(({ lines }) => lines.length > 0)
    .map(
      ({ name, type, help, lines }) =>
        `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${name}${line}\n`).join("")}`,
    )
    .join("");
}

function metricsOf({ serving, upstreams, now }: Live): readonly Metric[] {
  const { meter, answers, connections } = serving;
  const counts = meter.counts().filter(({ value }) => value > 0);
  const known = [...upstreams].flatMap(([name, { answer }]) => (answer === undefined ? [] : [{ name, at: answer.at }]));
  return [
    {
      name: "svc_proxy_requests_total",
      type: "counter",
      help: "Requests that were answered, by channel (ping is one, and none is empty) and status.",
      lines: counts.map(({ channel, status, value }) => `{channel="${channel}",code="${status}"} ${value}`),
    },
    {
      name: "svc_proxy_request_duration_seconds",
      type: "histogram",
      help: "From the end of a request's headers until its answer was handed to the system.",
      lines: histogram(meter),
    },
    {
      name: "svc_proxy_upstream_age_seconds",
      type: "gauge",
      help: "How long ago the upstream of a forwarded channel was heard last.",
      lines: known.map(({ name, at }) => `{channel="${name}"} ${Math.max(0, now() - at)}`),
    },
    {
      name: "svc_proxy_upstream_failures",
      type: "gauge",
      help: "How often in a row the upstream of a forwarded channel has failed.",
      lines: [...upstreams].map(([name, { failures }]) => `{channel="${name}"} ${failures}`),
    },
    { name: "svc_proxy_connections", type: "gauge", help: "Open connections.", lines: [` ${connections.count}`] },
    {
      name: "svc_proxy_shed_connections_total",
      type: "counter",
      help: "Connections that were closed for the sake of others: idle ones at the limit of connections, and those that asked the most without reading.",
      lines: Object.entries(meter.shed).map(([why, value]) => `{why="${why}"} ${value}`),
    },
    {
      name: "svc_proxy_reloads_total",
      type: "counter",
      help: "Reloads that were asked for, by what came of them.",
      lines: [`{outcome="done"} ${meter.reloads.done}`, `{outcome="refused"} ${meter.reloads.refused}`],
    },
    {
      name: "svc_proxy_info",
      type: "gauge",
      help: "The version, and the digest of the channels that instances must have in common.",
      lines: [`{version="${build.version}",channels="${answers.digest}"} 1`],
    },
  ];
}

function histogram({ latency, latencySum, latencyCount }: Live["serving"]["meter"]): readonly string[] {
  let below = 0;
  const buckets = latencyBuckets.map((most, index) => `_bucket{le="${most}"} ${(below += latency[index] ?? 0)}`);
  return [...buckets, `_bucket{le="+Inf"} ${latencyCount}`, `_sum ${latencySum}`, `_count ${latencyCount}`];
}
