import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import { nothingHeard } from "../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import { Answers } from "../../../src/proxy/server/prepared-answers.ts";
import { exposition } from "../../../src/proxy/server/exposition.ts";
import type { Live } from "../../../src/proxy/server/running-server.ts";
import { Meter } from "../../../src/proxy/server/meter.ts";
import type { Endpoint } from "../../../src/rules/settings/settings.ts";
import { metricRows, type MetricRow } from "../../metric-rows.ts";
import { configured } from "../server-rules/configured.ts";

/** Every metric that svc-proxy has, as it tells them of a server that has something to say of each. */
export async function everyMetric(): Promise<readonly MetricRow[]> {
  const configuration = await configured("proxy_service: {public_addr: proxy.example.com}");
  const meter = new Meter();
  meter.count("default", 200).value = 1;
  meter.relayed(200);
  meter.passed("passed");
  const url = "https://updates.example.com" as Endpoint;
  const answer = { served: { kind: "none" }, isCritical: false, at: 0 } as const;
  const live: Live = {
    serving: {
      answers: new Answers(configuration, meter, { isUnconfirmed: () => true }),
      meter,
      connections: { count: 1, all: () => [] },
      mood: "open",
    },
    upstreams: new Map([["stable" as ChannelName, { url, answer, heard: nothingHeard, failures: 0, trouble: undefined }]]),
    certificates: [
      { key: "", cert: "", certFile: "/etc/svc/cert.pem", certificate: new X509Certificate(rootCertificates[0] ?? "") },
    ],
    now: () => 0,
    askedReadyMs: undefined,
  };
  return metricRows(exposition(live));
}
