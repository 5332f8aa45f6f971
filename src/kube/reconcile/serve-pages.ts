import { createServer } from "node:http";
import { whyNotListening } from "../../machine/listening/not-listening.ts";
import { answerPages, jsonPage } from "../../machine/listening/pages.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { printMetrics } from "../../rules/exposition/exposition.ts";
import type { HostPort } from "../../rules/route/host-port.ts";

/** What is told of this process while it runs. */
export type Progress = {
  /** By object. */
  readonly looks: Map<string, number>;
  /** What a look would need and is not seen, by object. */
  unseen: readonly string[];
  /** Undefined: there is no Lease. */
  leads?: () => boolean;
};

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
            help: "looks at each object since the start",
            samples: [...progress.looks].map(([object, value]) => ({ labels: { object }, value })),
          },
          {
            name: "svc_kube_updater_leads",
            type: "gauge",
            help: "whether this updater has the Lease",
            samples: progress.leads === undefined ? [] : [{ labels: {}, value: progress.leads() ? 1 : 0 }],
          },
        ]),
      readiness: () => {
        const { unseen } = progress;
        return unseen.length === 0 ? jsonPage(200, { ready: true }) : jsonPage(503, { ready: false, unseen });
      },
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
