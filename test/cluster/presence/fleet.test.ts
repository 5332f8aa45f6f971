import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Transport } from "../../../src/cluster/api/transport.ts";
import { LastReports } from "../../../src/cluster/auth/last-reports.ts";
import { report } from "../../../src/cluster/auth/take-report.ts";
import { startReporting, type Reporting } from "../../../src/cluster/presence/reporting.ts";
import { randomOf } from "../../fuzz/random.ts";
import { givenSeed } from "../../given-seed.ts";
import { isWhole } from "../../whole.ts";
import type { Item, ItemKey, Store } from "../../../src/cluster/storage/port.ts";

const hosts = isWhole ? 1000 : 200;
const interval = 600;
/** A tenth of the hosts: of a thousand, auth takes eight times as many. */
const mostInASecond = hosts / 10;

/** Hosts begin in the course of `withinSeconds`; in one second, where auth is not there yet. */
test.each([
  ["was started again", { withinSeconds: interval, awaySeconds: 10 }],
  ["was away for an hour", { withinSeconds: interval, awaySeconds: 3600 }],
  ["starts two minutes after all of them, out of a power cut", { withinSeconds: 1, awaySeconds: 120 }],
])(
  "a fleet comes back one after the other, and nothing is lost, where auth %s",
  async (_what, { withinSeconds, awaySeconds }) => {
    const fleet = startFleet();
    fleet.auth.isAway = withinSeconds === 1;
    await fleet.begin(withinSeconds);
    fleet.auth.isAway = true;
    await fleet.pass(awaySeconds);
    fleet.auth.isAway = false;
    const before = fleet.asked.length;
    await fleet.pass(interval);
    expect((await fleet.auth.heardSince(fleet.now() - interval)).size).toBe(hosts);
    await fleet.pass(interval);
    expect(Math.max(...countsBySecond(fleet.asked.slice(before)))).toBeLessThanOrEqual(mostInASecond);
    expect(await fleet.auth.lastCounters()).toEqual(fleet.lastCounters());
    await fleet.stop();
  },
);

type Fleet = {
  readonly auth: Auth;
  /** The second of each call, whether auth was there or not. */
  readonly asked: readonly number[];
  readonly now: () => number;
  readonly begin: (withinSeconds: number) => Promise<void>;
  readonly pass: (seconds: number) => Promise<void>;
  readonly lastCounters: () => ReadonlyMap<string, number>;
  readonly stop: () => Promise<void>;
};

/** By a clock of their own, on which a day takes moments. */
function startFleet(): Fleet {
  let second = 0;
  const due = new Map<number, Set<() => void>>();
  let waiting = 0;
  const running: Reporting[] = [];
  const stop = new AbortController();
  const asked: number[] = [];
  const counters = new Map<string, number>();
  const auth = authAt(() => second);

  const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (seconds <= 0 || signal.aborted) return resolve();
      const at = Math.ceil(second + seconds);
      const ofThen = due.get(at) ?? new Set();
      due.set(at, ofThen);
      waiting += 1;
      const wake = (): void => {
        if (!ofThen.delete(wake)) return;
        signal.removeEventListener("abort", wake);
        waiting -= 1;
        resolve();
      };
      ofThen.add(wake);
      signal.addEventListener("abort", wake);
    });
  const settle = async (): Promise<void> => {
    while (waiting < running.length) await turn();
  };
  const pass = async (seconds: number): Promise<void> => {
    for (const until = second + seconds; second < until;) {
      second += 1;
      for (const wake of due.get(second) ?? []) wake();
      due.delete(second);
      await settle();
    }
  };
  const random = randomOf(givenSeed(), 0);
  const begin = (id: string): void => {
    const transport: Transport = {
      whom: "auth",
      explain: (thrown) => thrown as Error,
      post: async ({ body }) => {
        asked.push(second);
        const request = JSON.parse(new TextDecoder().decode(body)) as { readonly counter: string };
        const answer = await auth.answer(id, request);
        counters.set(id, Number(request.counter));
        return answer;
      },
    };
    running.push(
      startReporting({
        joined: () => ({ transport, cluster: "example" }),
        about: { hostname: id, services: ["node"], version: "15.4.5" },
        updater: () => Promise.resolve(undefined),
        schedule: () => Promise.resolve("none"),
        log: () => undefined,
        clock: () => ({ now: second, bootId: "one", sinceBootSeconds: second }) as never,
        random: () => random.below(1000) / 1000,
        wait,
        stopping: stop.signal,
      }),
    );
  };
  return {
    auth,
    asked,
    now: () => second,
    begin: async (withinSeconds) => {
      for (let at = 0; at < withinSeconds; at += 1) {
        for (let host = at; host < hosts; host += withinSeconds) begin(`host-${host}`);
        await settle();
        await pass(1);
      }
    },
    pass,
    lastCounters: () => counters,
    stop: async () => {
      stop.abort();
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}

type Auth = {
  isAway: boolean;
  readonly answer: (id: string, request: object) => ReturnType<Transport["post"]>;
  readonly heardSince: (at: number) => Promise<ReadonlySet<string>>;
  readonly lastCounters: () => Promise<ReadonlyMap<string, number>>;
};

/** The handler itself, and a store that forgets nothing. */
function authAt(now: () => number): Auth {
  const items = new Map<string, Item>();
  const store: Pick<Store, "get" | "list" | "commit"> = {
    // No proxy has told where it is reached.
    list: () => Promise.resolve([]),
    get: ({ kind, name }: ItemKey) => Promise.resolve(items.get(`${kind}/${name}`)),
    commit: ({ at, by, changes: [change] }) => {
      if (change?.kind !== "put") throw new Error("a report is put");
      const { item, body } = change;
      const revision = String(items.size) as Item["revision"];
      items.set(`${item.kind}/${item.name}`, { ...item, body, revision, changedAt: at, changedBy: by });
      return Promise.resolve({ kind: "done", revision });
    },
  };
  const lastReports = new LastReports();
  const context = {
    store,
    lastReports,
    underWay: new Map(),
    now,
    times: { reportSeconds: interval },
    log: () => undefined,
  } as never;
  const numbers = async (key: "at" | "counter"): Promise<ReadonlyMap<string, number>> => {
    await lastReports.write(store);
    return new Map([...items.values()].map(({ name, body }) => [name, Number(body[key])]));
  };
  const auth: Auth = {
    isAway: false,
    answer: async (id, request) => {
      if (auth.isAway) throw new Error("auth is away");
      const caller = { kind: "instance", of: "node", id, serial: "1", from: 0, address: "127.0.0.1" } as never;
      const { reportAfterSeconds } = await report(context, caller, request as never);
      const told = { reportAfterSeconds, now: new Date(now() * 1000).toISOString() };
      return {
        status: 200,
        contentType: "application/json",
        retryAfter: undefined,
        date: undefined,
        body: (async function* () {
          yield Buffer.from(JSON.stringify(told));
        })(),
      };
    },
    heardSince: async (since) => new Set([...(await numbers("at"))].filter(([, at]) => at > since).map(([id]) => id)),
    lastCounters: () => numbers("counter"),
  };
  return auth;
}

function countsBySecond(seconds: readonly number[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const second of seconds) counts.set(second, (counts.get(second) ?? 0) + 1);
  return [...counts.values()];
}
