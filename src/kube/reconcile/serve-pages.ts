import { createServer } from "node:http";
import { whyNotListening } from "../../machine/listening/not-listening.ts";
import { answerPages, jsonPage } from "../../machine/listening/pages.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { printMetrics } from "../../rules/exposition/exposition.ts";
import type { HostPort } from "../../rules/route/host-port.ts";

/** What is told of this process while it runs. */
export type Progress = { looks: number; isReady: boolean };

/** Kubelets and scrapers ask one question at a time. */
const mostConnections = 50;
const slowestMs = 5000;

/** /healthz, /readyz and /metrics until it is closed. Ready: everything that a look needs is seen. */
export async function servePages({ host, port }: HostPort, progress: Progress): Promise<() => void> {
  const server = createServer(
    { headersTimeout: slowestMs, requestTimeout: slowestMs },
    answerPages({
      metrics: () =>
        printMetrics([
          {
            name: "svc_kube_updater_looks_total",
            type: "counter",
            help: "looks at the object since the start",
            samples: [{ labels: {}, value: progress.looks }],
          },
        ]),
      readiness: () => jsonPage(progress.isReady ? 200 : 503, { ready: progress.isReady }),
    }),
  );
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      const told = whyNotListening(error, { at: { host, port }, setting: "listen", unit: "the pod" });
      reject(new Fault("os-failed", told));
    });
    server.listen({ host, port }, resolve);
  });
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
