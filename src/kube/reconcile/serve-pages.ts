import { createServer } from "node:http";
import { whyNotListening } from "../../machine/listening/not-listening.ts";
import { answerPages, jsonPage } from "../../machine/listening/pages.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { printMetrics, type MetricFamily, type Sample } from "../../rules/exposition/exposition.ts";
import type { HostPort } from "../../rules/route/host-port.ts";
import { codeOf, nextVersion } from "../objects/event-text.ts";
import type { Kept } from "../objects/record.ts";

/** What the pages tell about this process. */
export type Progress = {
  /** The number of looks, by object. */
  readonly looks: Map<string, number>;
  /** What this process's last look found, by object. */
  readonly outcomes: Map<string, LookOutcome>;
  /** The objects or parts that looks need but cannot see. */
  unseen: readonly string[];
  /** Whether this process leads; undefined without a Lease. */
  leads?: () => boolean;
};

/** What metrics tell of an object. */
export type LookOutcome = {
  readonly kind: string;
  readonly why: string;
  readonly installed: string | undefined;
  readonly served: string | undefined;
  readonly last: Kept["last"];
  readonly isIll: boolean;
};

export function outcomeOf(kept: Kept, isIll: boolean): LookOutcome {
  const { decision, current: installed, last } = kept;
  return { kind: decision.kind, why: codeOf(decision), installed, served: nextVersion(decision, kept), last, isIll };
}

/** Enough, because kubelets and scrapers ask one question at a time. */
const mostConnections = 50;
const slowestMs = 5000;

/** Serves /healthz, /readyz and /metrics until it is closed. Ready means that a look can see everything it needs. */
export async function servePages({ host, port }: HostPort, progress: Progress): Promise<() => void> {
  const server = createServer(
    { headersTimeout: slowestMs, requestTimeout: slowestMs },
    answerPages({
      metrics: () =>
        printMetrics([
          gauge(
            "leads",
            "whether this updater has the Lease",
            progress.leads && [{ labels: {}, value: Number(progress.leads()) }],
          ),
          {
            name: "svc_kube_updater_looks_total",
            type: "counter",
            help: "looks at each object since the start",
            samples: [...progress.looks].map(([object, value]) => ({ labels: { object }, value })),
          },
          ...outcomeMetrics([...progress.outcomes]),
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

function outcomeMetrics(all: readonly (readonly [object: string, outcome: LookOutcome])[]): readonly MetricFamily[] {
  const each = (of: (outcome: LookOutcome) => Omit<Sample, "series"> | undefined): readonly Sample[] =>
    all.flatMap(([object, outcome]) => {
      const sample = of(outcome);
      return sample === undefined ? [] : [{ ...sample, labels: { object, ...sample.labels } }];
    });
  return [
    gauge(
      "info",
      "always 1; the version of the object's template, and the one that was served last",
      each(({ installed, served }) => ({ labels: { installed, served }, value: 1 })),
    ),
    gauge(
      "decision",
      "always 1; what was decided last (stay, move or stop) and why",
      each(({ kind, why }) => ({ labels: { kind, why }, value: 1 })),
    ),
    gauge(
      "unhealthy",
      "1 where not all pods have been available for deadlines.unhealthy, else 0",
      each(({ isIll }) => ({ labels: {}, value: Number(isIll) })),
    ),
    gauge(
      "last_move_timestamp_seconds",
      "when the last move ended, how, and to which version it was",
      each(({ last }) => last && { labels: { outcome: last.outcome, version: last.to }, value: last.at }),
    ),
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[] = []): MetricFamily {
  return { name: `svc_kube_updater_${name}`, type: "gauge", help, samples };
}
