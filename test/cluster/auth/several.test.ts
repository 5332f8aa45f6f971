import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { makePauses, pausesIn } from "../../../src/cluster/auth/sign-in-pauses.ts";
import { makePendingSignIns } from "../../../src/cluster/auth/pending-sign-ins.ts";
import type { ResourceName } from "../../../src/cluster/resource/name.ts";
import { openPostgresStore } from "../../../src/cluster/storage/postgresql.ts";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { noPostgres, startPostgres, type PostgresServer } from "../storage/postgres-server.ts";
import { callRaw, session, status } from "./hosts.ts";
import { startWithPeople, told, type WithPeople } from "./people.ts";
import { startRunning, type Running } from "./running.ts";

const getSession = "SessionService/GetSession";

describe.skipIf(noPostgres !== undefined)("two auth services on one database", () => {
  let server: PostgresServer;
  let stores: readonly Store[];
  let one: WithPeople;
  let other: Running;
  beforeAll(async () => {
    server = await startPostgres();
    const place = await server.database();
    stores = await Promise.all([1, 2].map(() => openPostgresStore({ ...place, release: "15.4.5" })));
    const storage = { ...place, passwordFile: undefined, tls: undefined };
    one = await startWithPeople({ storeFor: () => stores[0]!, storage, secondFactor: "off" });
    other = await startRunning({ storeFor: () => stores[1]!, storage, secondFactor: "off", hostname: "auth2", now: one.now });
  });
  afterAll(async () => {
    await other[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
    await Promise.all(stores.map((store) => store.close()));
    await server[Symbol.asyncDispose]();
  });

  const there = () => ({ ...one.proxy.trusting, port: other.auth.port });

  test("refuse a proof that the other has taken, and a session that the other has ended", async () => {
    const anna = await one.person("anna", ["editor"]);
    const headers = await one.headersFor(getSession, {}, anna);
    expect((await one.relay(getSession, {}, headers)).status).toBe(200);
    expect(told(await one.relay(getSession, {}, headers, there()))).toMatchObject({
      code: "proof-refused",
      message: expect.stringContaining("it was used before"),
    });
    expect((await one.relay(getSession, {}, await one.headersFor(getSession, {}, anna), there())).status).toBe(200);
    await one.ask("SessionService/RemoveSessions", { name: anna.name });
    const after = await one.relay(getSession, {}, await one.headersFor(getSession, {}, anna), there());
    expect(told(after).code).toBe("session-ended");
  });

  test("pause somebody who tries wrong passwords at both as at one", async () => {
    await one.account("bob", ["editor"]);
    const tried = async (over: ReturnType<typeof there>): Promise<string> => {
      const body = { user: "bob", password: "wrong", code: "", client: "tsh" };
      const { privateKey } = await makeKeyPair();
      return told(
        await one.relay("SessionService/SignIn", body, await one.headersFor("SessionService/SignIn", body, { privateKey }), over),
      ).message;
    };
    const said: string[] = [];
    for (const over of [one.proxy.trusting, there(), one.proxy.trusting, there()]) said.push(await tried(over));
    expect(said.map((message) => message.includes("too many"))).toEqual([false, false, false, true]);
  });

  test("pause a network that tries many users, and do not ask the store for it", async () => {
    const tried = (user: string) => ({ user, network: "203.0.113.7", now: 0 });
    const [here] = stores.map((store) => pausesIn(store, makePauses({ mostNetworks: 5, mostUsers: 4 })));
    const [waits, before]: [number[], number] = [[], await stores[0]!.count("pause")];
    for (let user = 0; user < 8; user += 1) waits.push((await here!.begin(tried(`user${user}`))).waitSeconds);
    expect(waits).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect((await stores[0]!.count("pause")) - before).toBe(7);
  });

  test("go on with a sign-in that began at the other, and count its steps once", async () => {
    const [here, elsewhere] = stores.map(makePendingSignIns);
    const connector = { kind: "oidc", name: "idp" as ResourceName } as const;
    const asked = { connector, client: "tsh", purpose: "session", key: "root", address: "", from: "a", now: 0 } as const;
    const begun = (await here!.begin(asked))!;
    const visit = { state: `${begun.id}.secret`, nonce: "nonce", verifier: "verifier" };
    await here!.move(begun, { at: { kind: "away", visit, cookie: "00" } });
    const found = (await elsewhere!.findByState(visit.state, 0))!;
    expect(found).toMatchObject({ id: begun.id, at: { kind: "away" } });
    expect(await elsewhere!.findByState(`${begun.id}.other`, 0)).toBeUndefined();
    const both = await Promise.all([here!, elsewhere!].map((pending) => pending.move(found, { at: { kind: "back" } })));
    expect(both.filter((moved) => moved !== undefined)).toHaveLength(1);
  });

  test("close the connections of a host that the other has removed, and heed a rotation there", async () => {
    const host = await one.join("node");
    const opened = session({ ...host.trusting, port: other.auth.port });
    await once(opened, "connect");
    const closed = once(opened, "close");
    const removed = Date.now();
    expect((await one.ask("InstanceService/RemoveInstance", { id: host.id })).status).toBe(200);
    await closed;
    expect(Date.now() - removed).toBeLessThan(3000);

    expect((await one.ask("ClusterService/RotateAuthority", {})).status).toBe(200);
    const pins = async (): Promise<number> => ((await other.ask(status)).body as { caPins: readonly string[] }).caPins.length;
    await expect.poll(pins, { timeout: 5000 }).toBe(2);
    const stranger = await callRaw(there(), status, { body: "{}" });
    expect(stranger.status).toBe(200);
  });
});
