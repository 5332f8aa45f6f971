import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Transport } from "../../../src/cluster/api/transport.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import {
  identityPath,
  readRenewingKey,
  writeIdentity,
  writeJoiningKey,
  writeRenewingKey,
} from "../../../src/cluster/presence/identity-file.ts";
import type { Identity } from "../../../src/cluster/presence/identity.ts";
import { joinCluster } from "../../../src/cluster/presence/join-cluster.ts";
import { overMutualTls } from "../../../src/cluster/presence/mutual-tls.ts";
import { renewIdentity } from "../../../src/cluster/presence/renew.ts";
import { makeToken, removeInstance, type OverTls } from "../auth/over-tls.ts";
import { startImpostor } from "./impostor.ts";
import { identityOf, joinedTo, joiningTo, makeHost, testHost as test, type Host } from "./host.ts";
import { bring, type Life } from "./life.ts";
import { startRelay } from "./relay.ts";

const hour = 3600;
const day = 86_400;
function told({ lines }: Life): readonly string[] {
  const said = lines.filter(({ level, sentence }) => level !== "debug" && !sentence.startsWith("this host is a proxy of"));
  return said.map(({ level, sentence }) => `${level}: ${sentence}`);
}

async function isCloned({ store }: OverTls, { stored }: Identity): Promise<boolean> {
  const item = await store.get({ kind: "instance", name: stored.instance });
  return typeof item?.body["cloned"] === "number";
}

describe("the presence", () => {
  test("renews between half of the certificate's life and a fifth of that later, with another key each time", async ({
    auth,
    member: host,
  }) => {
    const first = identityOf(host);
    await using life = bring(auth, host);
    life.skip(15 * day - 2 * hour);
    await life.live(hour);
    expect(identityOf(host)).toEqual(first);
    await life.live(3 * day + 2 * hour);
    const second = identityOf(host);
    expect(second.stored).toMatchObject({
      instance: first.stored.instance,
      generation: 2,
      authServers: first.stored.authServers,
    });
    expect(second.peer.key).not.toBe(first.peer.key);
    expect(second.peer.serial).not.toBe(first.peer.serial);
    expect(life.presence.state()).toEqual({
      instance: first.stored.instance,
      certificateUntil: second.peer.until,
      generation: 2,
      failures: 0,
      lastFailure: undefined,
    });
    for (const generation of [3, 4]) {
      life.skip(15 * day);
      await life.live(3 * day + hour);
      expect(identityOf(host).stored.generation).toBe(generation);
    }
    expect(await isCloned(auth, first)).toBe(false);
    expect(new Set(told(life))).toEqual(new Set(["info: the certificate of this proxy was renewed"]));
    expect(existsSync(join(host.place.dataDirectory, "identity", "proxy.renewing.json"))).toBe(false);
  });

  test.for([
    ["ahead", day],
    ["behind", -day],
  ] as const)("renews in time where the host's clock is a day %s", async ([_what, ahead], { auth, host }) => {
    host.clock.ahead = ahead;
    await joinedTo(auth, host);
    await using life = bring(auth, host);
    life.skip(15 * day - 2 * hour);
    await life.live(hour);
    expect(identityOf(host).stored.generation).toBe(1);
    await life.live(3 * day + 2 * hour);
    expect(identityOf(host).stored.generation).toBe(2);
    expect(told(life)).toEqual(["info: the certificate of this proxy was renewed"]);
  });

  test("goes on through days without auth, says so at once and once a day, and says that it is over", async ({ auth, host }) => {
    await using relay = await startRelay(auth.port);
    const authServers = [{ host: "127.0.0.1", port: relay.port }];
    await joinedTo(auth, host, { authServers });
    await using life = bring(auth, host);
    relay.leadsTo = "nowhere";
    life.skip(17 * day);
    await life.live(3 * day);
    const spoken = told(life);
    expect(spoken.length).toBeGreaterThanOrEqual(3);
    expect(spoken.length).toBeLessThanOrEqual(4);
    expect(new Set(spoken.map((line) => line.split(":", 1)[0]))).toEqual(new Set(["warning"]));
    expect(spoken[0]).toContain(`auth at 127.0.0.1:${relay.port} cannot be reached`);
    expect(life.presence.state()).toMatchObject({ lastFailure: { code: "auth-unreachable" } });
    const waits = life.waits.slice(-20);
    expect(Math.max(...waits)).toBeLessThanOrEqual(hour);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(hour / 2);
    // Ten days before its end it was a warning; four days before it, and beyond it, it is an error.
    life.skip(5 * day);
    await life.live(day);
    expect(told(life).at(-1)).toMatch(/^error: /);
    life.skip(7 * day);
    await life.live(day);
    expect(told(life).at(-1)).toMatch(/^error: /);
    relay.leadsTo = auth.port;
    await life.live(2 * hour);
    expect(told(life).at(-1)).toBe("notice: the certificate of this proxy was renewed");
    expect(identityOf(host).stored.generation).toBe(2);
    expect(life.presence.state()).toMatchObject({ failures: 0, lastFailure: undefined });
  });

  test("renews what expired less than a year ago, and not what expired before that", async ({ auth, member: host }) => {
    auth.clock.now += 30 * day + 364 * day;
    host.clock.bootId = "boot-2";
    host.clock.sinceBootSeconds = 10;
    {
      await using life = bring(auth, host);
      await life.live(1);
      expect(identityOf(host).stored.generation).toBe(2);
    }
    auth.clock.now += 30 * day + 366 * day;
    await using life = bring(auth, host);
    host.clock.bootId = "boot-3";
    await life.live(hour);
    expect(identityOf(host).stored.generation).toBe(2);
    expect(told(life)).toEqual([expect.stringMatching(/^error: .*expired more than a year ago.*`svc join --replace`/)]);
  });

  test("says once that it was removed and what to type, asks quietly every hour, and takes a join for what it is", async ({
    auth,
    member: host,
  }) => {
    await removeInstance(auth, identityOf(host).stored.instance);
    await using life = bring(auth, host);
    life.skip(18 * day);
    await life.live(3 * day);
    expect(told(life)).toEqual([
      expect.stringMatching(
        /^error: the certificate of this proxy could not be renewed: .*its instance was removed.*`svc join --replace`/,
      ),
    ]);
    expect(life.waits.slice(-48).every((seconds) => seconds === hour)).toBe(true);
    const joined = await joinedTo(auth, host, { existing: "replace" });
    await life.live(2 * hour);
    expect(life.presence.state()).toMatchObject({ instance: joined.identity.stored.instance, generation: 1 });
    expect(told(life)).toHaveLength(1);
  });

  test("of two hosts with one key both go on, and auth shows that there are two", async ({ auth, host }) => {
    using clone = makeHost(auth);
    await joinedTo(auth, host);
    writeIdentity(clone.place, identityOf(host).stored);
    for (const bootId of ["boot-2", "boot-3"]) {
      auth.clock.now += 19 * day;
      for (const one of [host, clone]) {
        one.clock.bootId = bootId;
        await using life = bring(auth, one);
        await life.live(1);
      }
    }
    expect([identityOf(host).stored.generation, identityOf(clone).stored.generation]).toEqual([3, 3]);
    expect(await isCloned(auth, identityOf(host))).toBe(true);
  });

  test("ends when it is told to, in the middle of a wait", async ({ auth, member: host }) => {
    const life = bring(auth, host);
    await life.live(hour);
    await life[Symbol.asyncDispose]();
    expect(told(life)).toEqual([]);
  });

  test("looks at once where it is asked to, and says who it is", async ({ auth, host }) => {
    await using life = bring(auth, host, { wait: (_seconds, signal) => once(signal, "abort").then(() => undefined) });
    const { identity } = await joinedTo(auth, host);
    expect(life.presence.state().instance).toBeUndefined();
    life.presence.look();
    await expect.poll(() => life.presence.state().instance).toBe(identity.stored.instance);
    expect(life.lines.map(({ sentence }) => sentence)).toEqual(["this host is a proxy of the cluster example"]);
  });

  test("ends nothing where its identity is damaged, gone, or there again", async ({ auth, member: host }) => {
    const whole = readFileSync(identityPath(host.place));
    await using life = bring(auth, host);
    await life.live(hour);
    writeFileSync(identityPath(host.place), "{}");
    await life.live(3 * hour);
    rmSync(identityPath(host.place));
    await life.live(2 * hour);
    expect(life.presence.state().instance).toBeUndefined();
    writeFileSync(identityPath(host.place), whole);
    await life.live(2 * hour);
    expect(life.presence.state().instance).toBe(identityOf(host).stored.instance);
    expect(told(life)).toEqual([
      expect.stringMatching(/^error: this host's identity cannot be used: .*schema is not 1.*`svc join --replace`/),
      "warning: this host is no proxy of a cluster any more: its identity is gone",
    ]);
  });

  test("waits as long as auth asks for", async ({ auth, member: host }) => {
    const body = JSON.stringify({ code: "unavailable", message: "too many" });
    const answer = `HTTP/1.1 503 Busy\r\nretry-after: 1000\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
    await using busy = await startImpostor({
      signer: auth.authorities.signing,
      cluster: auth.cluster,
      now: auth.clock.now + 18 * day,
      answer,
    });
    writeIdentity(host.place, { ...identityOf(host).stored, authServers: [`127.0.0.1:${busy.port}`] });
    await using life = bring(auth, host);
    life.skip(18 * day);
    await life.live(hour);
    // Left to itself it would look again within the hour.
    expect(life.waits.at(-1)).toBeGreaterThanOrEqual(1000);
    expect(life.waits.at(-1)).not.toBe(hour);
    expect(life.presence.state()).toMatchObject({ lastFailure: { code: "auth-busy" } });
  });
});

describe("a renewal that did not finish", () => {
  test("after auth has answered goes on with the same key, and nobody takes it for a clone", async ({ auth, member: host }) => {
    const before = identityOf(host);
    auth.clock.now += 19 * day;
    host.clock.sinceBootSeconds += 19 * day;
    const clock = (): never => {
      throw new RangeError("killed");
    };
    const ports = { ...host.ports, transport: transportOf(auth, host), clock };
    await expect(renewIdentity(before, ports)).rejects.toThrow("killed");
    const key = readRenewingKey(host.place);
    expect(key?.instance).toBe(before.stored.instance);
    expect(identityOf(host)).toEqual(before);
    await using life = bring(auth, host);
    await life.live(1);
    expect(identityOf(host).stored).toMatchObject({ privateKey: key?.privateKey, generation: 2 });
    expect(await isCloned(auth, before)).toBe(false);
    expect(readRenewingKey(host.place)).toBeUndefined();
  });

  test("after all was written forgets the keys that it was done with", async ({ auth, member: host }) => {
    const { privateKey, instance } = identityOf(host).stored;
    writeRenewingKey(host.place, { instance, privateKey });
    writeJoiningKey(host.place, { token: "0".repeat(64), privateKey });
    await using life = bring(auth, host);
    await life.live(1);
    expect(readRenewingKey(host.place)).toBeUndefined();
    expect(existsSync(join(host.place.dataDirectory, "identity", "proxy.joining.json"))).toBe(false);
  });

  test("of another instance leaves no key that this one would take", async ({ auth, member: host }) => {
    const { privateKey } = await makeKeyPair();
    writeRenewingKey(host.place, { instance: "7c9e6679-7425-40de-944b-e07fc1f90ae7" as never, privateKey });
    await using life = bring(auth, host);
    life.skip(18 * day);
    await life.live(hour);
    expect(identityOf(host).stored.generation).toBe(2);
    expect(identityOf(host).stored.privateKey).not.toBe(privateKey);
  });

  test("is dropped where somebody has joined again meanwhile", async ({ auth, member: host }) => {
    const old = identityOf(host);
    const tokenFile = host.tokenFile(await makeToken(auth));
    const over = transportOf(auth, host);
    const transport: Transport = {
      ...over,
      post: async (posted) => {
        const answer = await over.post(posted);
        await joinCluster(joiningTo(auth, { tokenFile, existing: "replace" }), host.ports);
        return answer;
      },
    };
    expect(await renewIdentity(old, { ...host.ports, transport })).toBe("replaced");
    expect(identityOf(host).stored.instance).not.toBe(old.stored.instance);
  });
});

function transportOf(auth: OverTls, host: Host): Transport {
  const { stored, trusted: authorities } = identityOf(host);
  return overMutualTls({
    addresses: [{ host: "127.0.0.1", port: auth.port }],
    known: { kind: "joined", cluster: auth.cluster, authorities },
    shows: stored,
    ways: host.ports.ways,
    now: () => auth.clock.now,
  });
}
