import { freshAsker, keptAsker, type Asker } from "./drive/asker.ts";
import { drive, plannedLooks } from "./drive/drive.ts";
import type { Measured } from "./drive/measured.ts";
import { startDriven, type DrivenServer, type Scheme } from "./drive/server.ts";
import type { Fleet } from "./load.ts";
import { printTable, rounded, whole } from "./print.ts";
import { scenarios } from "./scenario.ts";

export type RideResult = { readonly name: string; readonly measured: Measured };

type Way = { readonly name: string; readonly scheme: Scheme; readonly asker: (server: DrivenServer) => Asker };

/** The updater opens a connection for each question; a reverse proxy that speaks TLS for svc-proxy keeps its own open. */
const ways: readonly Way[] = [
  { name: "https, fresh", scheme: "https", asker: freshAsker },
  { name: "http, fresh", scheme: "http", asker: freshAsker },
  { name: "http, kept open", scheme: "http", asker: keptAsker },
];

const warmUpLooks = 1000;

/** The window's opening, its ten minutes in short: every host looks once, and asks both questions. */
export async function rideAll(fleet: Fleet, speed: number): Promise<readonly RideResult[]> {
  const opening = scenarios.find(({ name }) => name === "window")!;
  const looks = plannedLooks({ ...opening, from: opening.event, until: opening.event + 600 }, fleet);
  const results: RideResult[] = [];
  for (const { name, scheme, asker } of ways) {
    const server = await startDriven(scheme);
    try {
      results.push({
        name,
        measured: await drive(looks, { ask: asker(server), processId: server.processId, speed, warmUpLooks }),
      });
    } finally {
      await server.stop();
    }
  }
  return results;
}

export function printRides(results: readonly RideResult[]): string {
  const head = [
    "connections",
    "answered",
    "errors",
    "req/s",
    "busiest",
    "p50 ms",
    "p99 ms",
    "driver late, p99 s",
    "CPU ms/request",
    "MB",
  ];
  const rows = results.map(({ name, measured }) => [
    name,
    whole(measured.answered),
    whole(measured.errors.length),
    whole(measured.meanPerSecond),
    whole(measured.peakPerSecond),
    rounded(measured.latencyMs.p50),
    rounded(measured.latencyMs.p99),
    rounded(measured.lateMs.p99 / 1000),
    rounded(measured.cpuSecondsPerRequest * 1000),
    whole(measured.peakKilobytes / 1024),
  ]);
  return printTable([head, ...rows]);
}
