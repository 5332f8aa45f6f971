import { build } from "../../machine/program/program-build.ts";
import { printMetrics, type MetricFamily, type Sample } from "../../rules/exposition/exposition.ts";
import type { Live } from "./running-server.ts";
import { latencyBuckets } from "./meter.ts";

export function exposition(live: Live): string {
  return printMetrics(metricsOf(live));
}

function metricsOf({ serving, upstreams, certificates, now }: Live): readonly MetricFamily[] {
  const { meter, answers, connections } = serving;
  const counts = meter.counts().filter(({ value }) => value > 0);
  const known = [...upstreams].flatMap(([name, { answer }]) => (answer === undefined ? [] : [{ name, at: answer.at }]));
  return [
    {
      name: "svc_proxy_requests_total",
      type: "counter",
      help: "Requests that were answered, by channel (ping is one, and none is empty) and status.",
      samples: counts.map(({ channel, status, value }) => ({ labels: { channel, code: status }, value })),
    },
    {
      name: "svc_proxy_request_duration_seconds",
      type: "histogram",
      help: "From the end of a request's headers until its answer was handed to the system.",
      samples: histogram(meter),
    },
    {
      name: "svc_proxy_upstream_age_seconds",
      type: "gauge",
      help: "How long ago the upstream of a forwarded channel was heard last.",
      samples: known.map(({ name, at }) => ({ labels: { channel: name }, value: Math.max(0, now() - at) })),
    },
    {
      name: "svc_proxy_upstream_failures",
      type: "gauge",
      help: "How often in a row the upstream of a forwarded channel has failed.",
      samples: [...upstreams].map(([name, { failures }]) => ({ labels: { channel: name }, value: failures })),
    },
    {
      name: "svc_proxy_decisions_unconfirmed",
      type: "gauge",
      help: "1 while auth has not been heard for so long, or never, that no host begins to move by this proxy's answers, else 0.",
      samples: answers.isOfCluster ? [{ labels: {}, value: Number(answers.isUnconfirmed()) }] : [],
    },
    {
      name: "svc_proxy_certificate_expiry_timestamp_seconds",
      type: "gauge",
      help: "When a certificate expires, in Unix time, by its cert_file.",
      samples: certificates.map(({ certFile, certificate }) => ({
        labels: { file: certFile },
        value: certificate.validToDate.getTime() / 1000,
      })),
    },
    {
      name: "svc_proxy_connections",
      type: "gauge",
      help: "Open connections.",
      samples: [{ labels: {}, value: connections.count }],
    },
    {
      name: "svc_proxy_shed_connections_total",
      type: "counter",
      help: "Connections that were closed for the sake of others: idle ones at the limit of connections, and those that asked the most without reading.",
      samples: Object.entries(meter.shed).map(([why, value]) => ({ labels: { why }, value })),
    },
    {
      name: "svc_proxy_relayed_calls_total",
      type: "counter",
      help: "Calls of people that were handed on to auth or refused here, by the status of the answer; 0: they had gone by then.",
      samples: meter.relays().map(({ status, value }) => ({ labels: { code: status }, value })),
    },
    {
      name: "svc_proxy_passed_connections_total",
      type: "counter",
      help: "Connections that asked for auth: passed on to it, refused because there were too many, or without an auth that is reached.",
      samples: Object.entries(meter.passes).map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    {
      name: "svc_proxy_reloads_total",
      type: "counter",
      help: "Reloads that were asked for, by what came of them.",
      samples: Object.entries(meter.reloads).map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    {
      name: "svc_proxy_info",
      type: "gauge",
      help: "The version, and the digest of the channels that instances must have in common.",
      samples: [{ labels: { version: build.version, channels: answers.digest }, value: 1 }],
    },
  ];
}

function histogram({ latency, latencySum, latencyCount }: Live["serving"]["meter"]): readonly Sample[] {
  let below = 0;
  const bucket = (le: number | string, value: number): Sample => ({ series: "_bucket", labels: { le }, value });
  return [
    ...latencyBuckets.map((most, index) => bucket(most, (below += latency[index] ?? 0))),
    bucket("+Inf", latencyCount),
    { series: "_sum", labels: {}, value: latencySum },
    { series: "_count", labels: {}, value: latencyCount },
  ];
}
