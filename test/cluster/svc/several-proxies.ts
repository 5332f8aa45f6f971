import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { rootSocketPath } from "../../../src/cluster/auth/root-socket.ts";
import type { ClusterId } from "../../../src/cluster/identity/names.ts";
import { readIdentity } from "../../../src/cluster/presence/identity-file.ts";
import { askChannel } from "../../../src/machine/network/ask-channel.ts";
import { alternatingIn } from "../../../src/rules/channel/alternating.ts";
import type { HostId } from "../../../src/rules/channel/asking-host.ts";
import { hear, nothingHeard, type Heard } from "../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../src/rules/channel/path.ts";
import type { ChannelAnswer } from "../../../src/rules/decide/gate-facts.ts";
import { compareVersions, type Version } from "../../../src/rules/version/version.ts";
import { fakePorts, questionFor } from "../../machine/network/fixture/ports.ts";
import { version } from "../../rules/version/given.ts";
import { askAt, type Answer } from "../auth/ask.ts";
import { call, joinableAt } from "../auth/hosts.ts";
import { freePort, place, service, typed, type Ended, type Place, type Service } from "./process.ts";

/** A program that is killed and started again. */
export type Member = {
  readonly at: Place;
  readonly url: string;
  /** Of readiness and metrics. */
  readonly lookUrl: string;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  /** In order. */
  readonly stop: () => Promise<void>;
  readonly log: () => string;
};

export type PlayedHost = {
  readonly id: string;
  readonly installed: () => Version;
  /** Every version that it moved to, in turn. */
  readonly moves: readonly Version[];
  /** A host in its window moves at once to whatever it is told, older or newer. */
  readonly openWindow: () => void;
  readonly asks: (url: string) => Promise<ChannelAnswer>;
  readonly says: (outcome?: object) => Promise<void>;
  /** The versions that it was told in turn, if it was. */
  readonly alternation: () => readonly Version[] | undefined;
};

export type Cluster = AsyncDisposable & {
  readonly auth: Member;
  readonly proxies: readonly Member[];
  readonly ask: (method: string, body?: unknown) => Promise<Answer>;
  readonly tctl: (...words: readonly string[]) => Promise<Ended>;
  readonly host: (env: string, channel?: string) => Promise<PlayedHost>;
  readonly rollout: (target: string, channel?: string, more?: object) => Promise<Answer>;
};

export type Serving = { readonly proxies?: number; readonly channels?: string; readonly lifeSeconds?: number };

/** An auth service and its proxies, each in a process of its own, and hosts that ask as updaters do. */
export async function startCluster({
  proxies: count = 2,
  channels = "{default: {static_version: v15.4.5}}",
  lifeSeconds = 900,
}: Serving = {}): Promise<Cluster> {
  await using starting = new AsyncDisposableStack();
  const [port, ops] = await Promise.all([freePort(), freePort()]);
  const auth = member(
    place(`svc: {data_dir: DIR/data}
auth_service:
  cluster_name: example
  listen_addr: 127.0.0.1:${port}
  public_addr: 127.0.0.1:${port}
  diag_addr: 127.0.0.1:${ops}
  rollout_answer_life: ${lifeSeconds}s
`),
    { port, look: ops },
  );
  starting.defer(() => gone(auth));
  await auth.start();
  const ask = askAt(rootSocketPath(join(auth.at.directory, "data")));
  const { clusterId, caPins } = (await ask("ClusterService/GetStatus")).body as {
    clusterId: ClusterId;
    caPins: readonly string[];
  };
  const pin = caPins[0] ?? "";
  const { tokenFor } = joinableAt({ cluster: clusterId, ca: "", port, ask });
  const proxies = await Promise.all(
    Array.from({ length: count }, async () => {
      const [web, look] = await Promise.all([freePort(), freePort()]);
      const at = place("");
      writeFileSync(join(at.directory, "token"), await tokenFor("proxy"), { mode: 0o600 });
      at.write(`svc:
  data_dir: DIR/data
  join: {auth_server: "127.0.0.1:${port}", ca_pin: "${pin}", token_file: DIR/token}
proxy_service:
  public_addr: localhost:${web}
  web_listen_addr: 127.0.0.1:${web}
  diag_addr: 127.0.0.1:${look}
  automatic_upgrades_channels: ${channels}
`);
      const proxy = member(at, { port: web, look });
      starting.defer(() => gone(proxy));
      await proxy.start();
      await expect.poll(() => statusOf(`${proxy.lookUrl}/readyz`), { timeout: 20_000 }).toBe(200);
      return proxy;
    }),
  );
  const hosts = joinableAt({ cluster: clusterId, ca: authoritiesOf(proxies[0]), port, ask });
  const started = starting.move();

  return {
    auth,
    proxies,
    ask,
    tctl: (...words) => typed("tctl", ...words, "-c", auth.at.config),
    host: async (env, channel = "default") => {
      const { id, trusting } = await hosts.join("node");
      await ask("InstanceService/LabelInstance", { id, labels: { env } });
      const report = (body: object): Promise<unknown> => call(trusting, "InventoryService/Report", body);
      return played({ id, hostname: `web-${env}`, channel: channel as ChannelName, report });
    },
    rollout: (target, channel = "default", more = {}) => {
      const stages = [
        { name: "canary", select: { labels: { env: "canary" } }, soak: "1h" },
        { name: "rest", select: "others", soak: "1h" },
      ];
      const spec = { channel, target, stages, ...more };
      const resource = { kind: "rollout", version: "v1", metadata: { name: `of-${channel}` }, spec };
      return ask("ResourceService/UpsertResource", { resource });
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** As a proxy that has joined keeps them. */
function authoritiesOf(proxy: Member | undefined): string {
  const own = readIdentity({ dataDirectory: join(proxy?.at.directory ?? "", "data"), kind: "proxy" });
  if (own === undefined) throw new Error("the proxy has not joined");
  return own.stored.authorities;
}

function member(at: Place, { port, look }: { readonly port: number; readonly look: number }): Member {
  let running: Service | undefined;
  let log = "";
  return {
    at,
    url: `http://127.0.0.1:${port}`,
    lookUrl: `http://127.0.0.1:${look}`,
    start: async () => {
      running = await service(at.config);
    },
    kill: async () => {
      log += running?.log() ?? "";
      await running?.[Symbol.asyncDispose]();
      running = undefined;
    },
    stop: async () => {
      running?.kill("SIGTERM");
      await running?.ended;
      log += running?.log() ?? "";
      running = undefined;
    },
    log: () => `${log}${running?.log() ?? ""}`,
  };
}

async function gone(of: Member): Promise<void> {
  await of.kill();
  of.at[Symbol.dispose]();
}

export async function statusOf(url: string): Promise<number> {
  try {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    // Nobody listens.
    return 0;
  }
}

type Playing = {
  readonly id: string;
  readonly hostname: string;
  readonly channel: ChannelName;
  readonly report: (report: object) => Promise<unknown>;
};

function played({ id, hostname, channel, report }: Playing): PlayedHost {
  const name = randomUUID().replaceAll("-", "") as HostId;
  const boot = randomUUID();
  const moves: Version[] = [];
  let installed = version("15.4.5");
  let heard: Heard = nothingHeard;
  let counter = 0;
  let isOpen = false;
  const now = (): number => Math.floor(Date.now() / 1000);
  return {
    id,
    moves,
    installed: () => installed,
    openWindow: () => {
      isOpen = true;
    },
    asks: async (url) => {
      const question = { ...questionFor(url), channel, installed: Promise.resolve(installed) };
      const answer = await askChannel(question, fakePorts({ ownName: () => Promise.resolve(name) }));
      if (answer.kind === "fault") return answer;
      heard = hear(heard, { channel, ...answer }, now());
      const { served, isUnconfirmed } = answer;
      // A proxy that has not heard the newest decision yet says an older number: the gate `alternating`.
      const isBack = heard.versions[0]?.came === "back";
      if (
        isOpen &&
        !isBack &&
        isUnconfirmed !== true &&
        served.kind === "version" &&
        compareVersions(served.version, installed) !== 0
      ) {
        installed = served.version;
        moves.push(installed);
      }
      return answer;
    },
    says: async (outcome) => {
      counter += 1;
      const updater = { kind: "unit", package: "agent", channel, installed, served: installed, asksAs: name, outcome };
      await report({ bootId: boot, counter, hostname, services: ["node"], version: "15.4.5", updater });
    },
    alternation: () => alternatingIn(heard, now())?.versions,
  };
}

/** Hosts that ask one proxy after the other, for as long as something else happens. */
export async function whileAsking(
  hosts: readonly PlayedHost[],
  { proxies }: Pick<Cluster, "proxies">,
  happens: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const asking = hosts.map(async (host, index) => {
    for (let turn = index; !over.signal.aborted; turn += 1) {
      await host.asks(proxies[turn % proxies.length]?.url ?? "");
      await sleep(50);
    }
  });
  try {
    await happens();
  } finally {
    over.abort();
    await Promise.all(asking);
  }
}
