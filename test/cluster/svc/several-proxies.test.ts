import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { givenSeed } from "../../given-seed.ts";
import { isWhole } from "../../whole.ts";
import { startCluster, statusOf, whileAsking, type Cluster, type Member, type PlayedHost } from "./several-proxies.ts";

const channelPath = "/v1/webapi/automaticupgrades/channel/default/version";

/** A small generator: the same seed plays the same. */
function drawing(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Kills one after the other at some moment, and starts it again at another. */
async function killInTurn({ auth, proxies }: Cluster, rounds: number, draw: (below: number) => number): Promise<void> {
  const all: readonly Member[] = [auth, ...proxies];
  for (let round = 0; round < rounds; round += 1) {
    const one = all[round < all.length ? round : draw(all.length)];
    await sleep(draw(300));
    await one?.kill();
    await sleep(draw(500));
    await one?.start();
  }
}

function expectSteady(hosts: readonly PlayedHost[]): void {
  for (const host of hosts) expect(host.alternation()).toBeUndefined();
}

async function movesTo(host: PlayedHost, { proxies }: Cluster, to: string): Promise<void> {
  const ask = async (): Promise<string> => {
    for (const { url } of proxies) await host.asks(url);
    return host.installed();
  };
  await expect.poll(ask, { timeout: 20_000 }).toBe(to);
}

const rounds = isWhole ? 40 : 3;

test(
  "auth and two proxies are killed at some moment: no host hears two versions in turn, goes back, or gets what it is not told",
  async () => {
    const draw = drawing(givenSeed());
    await using cluster = await startCluster({ lifeSeconds: 2 });
    const [first, late, other] = [await cluster.host("canary"), await cluster.host("canary"), await cluster.host("prod")];
    const hosts = [first, late, other];
    for (const host of hosts) await host.says();
    for (const host of [first, other]) host.openWindow();
    expect((await cluster.rollout("v15.4.6")).status).toBe(200);
    await movesTo(first, cluster, "15.4.6");
    const paused = await cluster.tctl("rollout", "pause", "default");
    expect(paused.out).toMatch(/^in force on 2 of 2 proxies\n/);
    // From here on its next answer decides whether it moves.
    late.openWindow();
    await whileAsking(hosts, cluster, () => killInTurn(cluster, rounds, draw));
    expect(hosts.map(({ moves }) => moves)).toEqual([["15.4.6"], [], []]);
    expectSteady(hosts);
    await cluster.ask("RolloutService/SteerRollout", { channel: "default", action: "resume" });
    await movesTo(late, cluster, "15.4.6");
    expect([first.moves, other.moves]).toEqual([["15.4.6"], []]);
    expectSteady(hosts);
  },
  isWhole ? 600_000 : 60_000,
);

const longest = 120_000;

test.runIf(isWhole)(
  "auth is away: after the life of its answers nobody begins to move, also at a proxy that is started again; a new proxy answers 503",
  async () => {
    await using cluster = await startCluster({ lifeSeconds: 2 });
    const [proxy, second] = cluster.proxies as readonly [Member, Member];
    const [told, there] = [await cluster.host("canary"), await cluster.host("canary")];
    for (const host of [told, there]) await host.says();
    there.openWindow();
    await cluster.rollout("v15.4.6");
    await movesTo(there, cluster, "15.4.6");
    expect(await told.asks(proxy.url)).toMatchObject({ served: { version: "15.4.6" } });
    await cluster.auth.kill();
    await expect
      .poll(() => told.asks(proxy.url), { timeout: 10_000 })
      .toMatchObject({ isUnconfirmed: true, served: { version: "15.4.5" } });
    told.openWindow();
    await proxy.kill();
    await second.kill();
    rmSync(join(second.at.directory, "data", "rollout-words.json"));
    await Promise.all([proxy.start(), second.start()]);
    expect(await told.asks(proxy.url)).toMatchObject({ isUnconfirmed: true });
    expect(await there.asks(proxy.url)).toMatchObject({ isUnconfirmed: true, served: { version: "15.4.6" } });
    expect([await statusOf(`${second.url}${channelPath}`), await statusOf(`${second.lookUrl}/readyz`)]).toEqual([503, 503]);
    expect([told.moves, there.moves]).toEqual([[], ["15.4.6"]]);
    await cluster.auth.start();
    await movesTo(told, { ...cluster, proxies: [second] }, "15.4.6");
    expectSteady([told, there]);
  },
  longest,
);

test.runIf(isWhole)(
  "auth comes back from a backup, and a proxy from last week's image: nothing moves until somebody has looked",
  async () => {
    await using cluster = await startCluster({
      lifeSeconds: 2,
      channels: "{default: {static_version: v15.4.5}, late: {static_version: v15.4.1}}",
    });
    const [proxy, second] = cluster.proxies as readonly [Member, Member];
    const [host, late] = [await cluster.host("canary"), await cluster.host("canary", "late")];
    for (const one of [host, late]) {
      await one.says();
      one.openWindow();
    }
    await cluster.rollout("v15.4.6");
    await movesTo(host, cluster, "15.4.6");
    const backup = join(cluster.auth.at.directory, "backup");
    expect((await cluster.tctl("backup", backup)).error).toBe("");
    const image = join(second.at.directory, "image");
    await second.kill();
    cpSync(join(second.at.directory, "data"), image, { recursive: true });
    await second.start();
    // What the backup does not know: a newer target, and a rollout of another channel.
    await cluster.rollout("v15.4.7");
    await cluster.rollout("v15.4.6", "late");
    await movesTo(host, cluster, "15.4.7");
    await movesTo(late, cluster, "15.4.6");
    await second.kill();
    rmSync(join(second.at.directory, "data"), { recursive: true });
    cpSync(image, join(second.at.directory, "data"), { recursive: true });
    await second.start();
    expect(await host.asks(second.url)).toMatchObject({ served: { version: "15.4.7" } });
    await cluster.auth.kill();
    expect((await cluster.tctl("restore", backup)).error).toBe("");
    await cluster.auth.start();
    await proxy.kill();
    await proxy.start();
    await whileAsking([host, late], cluster, () => sleep(4000));
    expect([host.moves, late.moves]).toEqual([["15.4.6", "15.4.7"], ["15.4.6"]]);
    expectSteady([host, late]);
    expect((await cluster.tctl("rollout", "status", "default")).out).toContain("came back with a backup");
    expect(proxy.log()).toContain("tctl rollout release late");
    // Its file says otherwise, and a person lets it.
    const released = await cluster.tctl("rollout", "release", "late");
    expect(released.error).toBe("");
    expect(await late.asks(proxy.url)).toMatchObject({ served: { version: "15.4.1" } });
    await cluster.rollout("v15.4.8");
    await movesTo(host, cluster, "15.4.8");
    expectSteady([host]);
  },
  longest,
);

test.runIf(isWhole)(
  "a store that was put back without a restore is found out, and moves nobody",
  async () => {
    await using cluster = await startCluster({ lifeSeconds: 2 });
    const [host, told] = [await cluster.host("canary"), await cluster.host("canary")];
    for (const one of [host, told]) await one.says();
    host.openWindow();
    await cluster.rollout("v15.4.6");
    await movesTo(host, cluster, "15.4.6");
    const store = join(cluster.auth.at.directory, "data", "auth");
    await cluster.auth.stop();
    cpSync(store, `${store}.image`, { recursive: true });
    await cluster.auth.start();
    await cluster.rollout("v15.4.7");
    await movesTo(host, cluster, "15.4.7");
    // A proxy that has not heard of it could not know better.
    for (const { url } of cluster.proxies) {
      await expect
        .poll(() => host.asks(url), { timeout: 20_000 })
        .toMatchObject({ served: { version: "15.4.7" }, isUnconfirmed: undefined });
    }
    await cluster.auth.stop();
    rmSync(store, { recursive: true });
    cpSync(`${store}.image`, store, { recursive: true });
    told.openWindow();
    await cluster.auth.start();
    // It goes on deciding, and its numbers rise.
    for (const action of ["pause", "resume"]) await cluster.ask("RolloutService/SteerRollout", { channel: "default", action });
    await whileAsking([host], cluster, () => sleep(5000));
    expect(host.moves).toEqual(["15.4.6", "15.4.7"]);
    for (const { url } of cluster.proxies) expect(await told.asks(url)).toMatchObject({ isUnconfirmed: true });
    expect(told.moves).toEqual([]);
    expectSteady([host, told]);
    await expect.poll(() => cluster.auth.log(), { timeout: 10_000 }).toContain("put back without `tctl restore`");
  },
  longest,
);

test.runIf(isWhole)(
  "a cache before a proxy that ignores Vary is found out: no host moves by another's answer",
  async () => {
    await using cluster = await startCluster({ proxies: 1 });
    const [proxy] = cluster.proxies as readonly [Member];
    const [told, other] = [await cluster.host("canary"), await cluster.host("prod")];
    for (const host of [told, other]) {
      await host.says();
      host.openWindow();
    }
    await cluster.rollout("v15.4.6");
    await movesTo(told, cluster, "15.4.6");
    await using cache = await carelessCache(proxy.url);
    // The first question has no name, and its answer is kept for everybody.
    for (const host of [other, told, other]) {
      expect(await host.asks(cache.url)).toMatchObject({
        fault: { code: "answer-invalid", message: expect.stringContaining("ignores `Vary`") },
      });
    }
    cache.keep({ "x-svc-host": "0a".repeat(16) });
    expect(await other.asks(cache.url)).toMatchObject({ kind: "fault" });
    expect([told.moves, other.moves]).toEqual([["15.4.6"], []]);
  },
  longest,
);

/** Keeps the first answer to each path, whoever asks; or one to a question with these headers. */
async function carelessCache(
  origin: string,
): Promise<AsyncDisposable & { readonly url: string; readonly keep: (asked: Record<string, string>) => void }> {
  const kept = new Map<string, { readonly headers: Record<string, string>; readonly body: string }>();
  let asked: Record<string, string> = {};
  const server = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? "";
      const known = kept.get(path) ?? (await fetched(path));
      kept.set(path, known);
      response.writeHead(200, known.headers).end(known.body);
    })();
  });
  const fetched = async (path: string) => {
    const answer = await fetch(`${origin}${path}`, { headers: asked });
    const names = [...answer.headers].filter(([name]) => name.startsWith("x-svc-") || name === "content-type");
    return { headers: Object.fromEntries(names), body: await answer.text() };
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keep: (next) => {
      asked = next;
      kept.clear();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
