// Plays many hosts in one process, which report as each host would. Prints `joined`, reports until its input ends, and then prints every call.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Report } from "../../../src/cluster/api/report.ts";
import type { Transport } from "../../../src/cluster/api/transport.ts";
import type { Identity } from "../../../src/cluster/presence/identity.ts";
import { overMutualTls } from "../../../src/cluster/presence/mutual-tls.ts";
import { startReporting } from "../../../src/cluster/presence/reporting.ts";
import { wait } from "../../../src/cluster/svc/wait.ts";
import { readClock } from "../../../src/machine/clocks/read-clock.ts";
import { directly, joinedNode, type Joining } from "./identities.ts";

export type FleetGiven = Joining & { readonly port: number; readonly hosts: number; readonly beginWithinSeconds: number };
/** When the call was sent, in milliseconds of Unix time. */
export type FleetCall = { readonly instance: string; readonly at: number; readonly isAnswered: boolean };

const joiningAtOnce = 8;

const given = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as FleetGiven;
const stop = new AbortController();
const calls: FleetCall[] = [];

const identities = await joinAll();
console.log("joined");
const hosts = identities.map(async (identity, index) => {
  await sleep((index * given.beginWithinSeconds * 1000) / given.hosts);
  await report(identity);
});
process.stdin.resume().on("end", () => stop.abort());
await Promise.all(hosts);
console.log(JSON.stringify(calls));

async function joinAll(): Promise<readonly Identity[]> {
  const joined: Identity[] = [];
  const one = async (first: number): Promise<void> => {
    for (let host = first; host < given.hosts; host += joiningAtOnce) {
      const folder = join(given.folder, `host-${host}`);
      mkdirSync(folder, { mode: 0o700 });
      joined.push(await joinedNode(given.port, { ...given, folder }));
    }
  };
  await Promise.all(Array.from({ length: joiningAtOnce }, (_, first) => one(first)));
  return joined;
}

function report({ stored, trusted }: Identity): Promise<void> {
  const { instance, cluster } = stored;
  const over = overMutualTls({
    addresses: [{ host: "127.0.0.1", port: given.port }],
    known: { kind: "joined", cluster: cluster.id, authorities: trusted },
    shows: stored,
    ways: directly,
    now: () => readClock().now,
  });
  const transport: Transport = {
    ...over,
    post: async (posted) => {
      const at = Date.now();
      try {
        const answer = await over.post(posted);
        calls.push({ instance, at, isAnswered: answer.status === 200 });
        return answer;
      } catch (thrown) {
        calls.push({ instance, at, isAnswered: false });
        throw thrown;
      }
    },
  };
  return startReporting({
    joined: () => ({ transport, cluster: cluster.name }),
    about: { hostname: "bench", services: ["node"], version: "15.4.5" },
    updater: () => Promise.resolve(updater),
    schedule: () => Promise.resolve("same"),
    log: () => undefined,
    clock: () => readClock(),
    random: Math.random,
    wait,
    stopping: stop.signal,
  }).ended;
}

const updater: Report["updater"] = {
  kind: "unit",
  package: "",
  channel: "",
  installed: "15.4.5",
  served: "15.4.6",
  decision: undefined,
  step: undefined,
  outcome: undefined,
  rejected: [],
  held: false,
  held_until: undefined,
  window: "schedule",
  looked: undefined,
  asks_as: "",
  downgrade: "refuse",
  unhealthy: false,
};
