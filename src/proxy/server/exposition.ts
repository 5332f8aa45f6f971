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
    counter(
      "requests_total",
      "Requests that were answered, by channel (ping is one, and none is empty) and status.",
      counts.map(({ channel, status, value }) => ({ labels: { channel, code: status }, value })),
    ),
    family("histogram")(
      "request_duration_seconds",
      "From the end of a request's headers until its answer was handed to the system.",
      bucketsOf(meter),
    ),
    gauge(
      "upstream_age_seconds",
      "How long ago the upstream of a forwarded channel was heard last.",
      known.map(({ name, at }) => ({ labels: { channel: name }, value: Math.max(0, now() - at) })),
    ),
    gauge(
      "upstream_failures",
      "How often in a row the upstream of a forwarded channel has failed.",
      [...upstreams].map(([name, { failures }]) => ({ labels: { channel: name }, value: failures })),
    ),
    gauge(
      "decisions_unconfirmed",
      "1 while auth has not been heard for so long, or never, that no host begins to move by this proxy's answers, else 0.",
      answers.isOfCluster ? [{ labels: {}, value: Number(answers.isUnconfirmed()) }] : [],
    ),
    gauge(
      "certificate_expiry_timestamp_seconds",
      "When a certificate expires, in Unix time, by its cert_file.",
      certificates.map(({ certFile, certificate }) => ({
        labels: { file: certFile },
        value: certificate.validToDate.getTime() / 1000,
      })),
    ),
    gauge("connections", "Open connections.", [{ labels: {}, value: connections.count }]),
    counter(
      "shed_connections_total",
      "Connections that were closed for the sake of others: idle ones at the limit of connections, and those that asked the most without reading.",
      Object.entries(meter.shed).map(([why, value]) => ({ labels: { why }, value })),
    ),
    counter(
      "relayed_calls_total",
      "Calls of people that were handed on to auth or refused here, by the status of the answer; 0: they had gone by then.",
      meter.relays().map(({ status, value }) => ({ labels: { code: status }, value })),
    ),
    counter(
      "passed_connections_total",
      "Connections that asked for auth: passed on to it, refused because there were too many, or without an auth that is reached.",
      Object.entries(meter.passes).map(([outcome, value]) => ({ labels: { outcome }, value })),
    ),
    counter(
      "reloads_total",
      "Reloads that were asked for, by what came of them.",
      Object.entries(meter.reloads).map(([outcome, value]) => ({ labels: { outcome }, value })),
    ),
    gauge("info", "The version, and the digest of the channels that instances must have in common.", [
      { labels: { version: build.version, channels: answers.digest }, value: 1 },
    ]),
  ];
}

type Family = (name: string, help: string, samples: readonly Sample[]) => MetricFamily;

function family(type: MetricFamily["type"]): Family {
  return (name, help, samples) => ({ name: `svc_proxy_${name}`, type, help, samples });
}

const counter = family("counter");
const gauge = family("gauge");

function bucketsOf({ latency, latencySum, latencyCount }: Live["serving"]["meter"]): readonly Sample[] {
  let below = 0;
  const bucket = (le: number | string, value: number): Sample => ({ series: "_bucket", labels: { le }, value });
  return [
    ...latencyBuckets.map((most, index) => bucket(most, (below += latency[index] ?? 0))),
    bucket("+Inf", latencyCount),
    { series: "_sum", labels: {}, value: latencySum },
    { series: "_count", labels: {}, value: latencyCount },
  ];
}
