import { createHash, createPublicKey } from "node:crypto";
import { Agent } from "node:https";
import { describe, expect } from "vitest";
import { issue } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair, type KeyPair } from "../../../src/cluster/identity/key.ts";
import type { InstanceKind } from "../../../src/cluster/identity/names.ts";
import { makeRequest } from "../../../src/cluster/identity/request.ts";
import type { JsonObject } from "../../../src/cluster/storage/port.ts";
import { instance, otherCluster } from "../identity/made.ts";
import type { Answered } from "./hosts.ts";
import { makeToken, removeInstance, serialOf, startOverTls, type OverTls, type Shows } from "./over-tls.ts";
import { testOverTls as test } from "./fixtures.ts";
import { commit, put } from "../storage/filled.ts";

const month = 30 * 86_400;
const year = 365 * 86_400;

type Identity = {
  readonly instanceId: string;
  readonly certificate: string;
  readonly authorities: string;
  readonly renewAfterSeconds: string;
};

function identityIn({ status, body }: Answered): Identity {
  expect([status, body]).toMatchObject([200, { identity: { certificate: expect.stringContaining("BEGIN CERTIFICATE") } }]);
  return (body as { identity: Identity }).identity;
}

async function joinBy(running: OverTls, token: string, pair: KeyPair): Promise<Answered> {
  const certificateRequest = makeRequest(pair.privateKey);
  return running.call("JoinService/Join", {
    token,
    certificateRequest,
    hostname: "host1",
    services: [],
    version: "15.4.5",
  });
}

type Joined = { readonly id: string; readonly shows: Required<Shows>; readonly pair: KeyPair };

async function joined(running: OverTls, kind: InstanceKind): Promise<Joined> {
  const pair = await makeKeyPair();
  const { instanceId, certificate } = identityIn(await joinBy(running, await makeToken(running, { type: kind }), pair));
  return { id: instanceId, shows: { cert: certificate, key: pair.privateKey }, pair };
}

async function renewBy(running: OverTls, shows: Shows | undefined, pair: KeyPair): Promise<Answered> {
  const certificateRequest = makeRequest(pair.privateKey);
  return running.call("JoinService/Renew", { certificateRequest, hostname: "host1" }, shows);
}

const status = "ClusterService/GetStatus";

function refusal(code: string, saying: string): object {
  return { body: { message: expect.stringContaining(saying), details: [{ debug: { code } }] } };
}

describe("the gate", () => {
  test.each([
    ["nobody's row", (running: OverTls) => ({ cluster: running.cluster, kind: "node" as const }), "is not in this cluster"],
    ["another cluster's name", () => ({ cluster: otherCluster, kind: "node" as const }), "is another cluster's"],
  ])("refuses a certificate of its own authority with %s", async (_what, words, saying) => {
    await using running = await startOverTls();
    const pair = await makeKeyPair();
    const { certificate } = await issue(running.authorities.signing, {
      subject: { ...words(running), id: instance },
      publicKey: createPublicKey(pair.publicKey),
      validity: { from: running.clock.now - 60, until: running.clock.now + month },
    });
    const answer = await running.call(status, {}, { cert: certificate, key: pair.privateKey });
    expect(answer).toMatchObject({ status: 401, ...refusal("identity-refused", saying) });
  });

  test("asks for the dates at every call, on a connection that began before too, by auth's clock", async ({ running }) => {
    const { shows } = await joined(running, "node");
    const agent = new Agent({ keepAlive: true });
    await running.call(status, {}, shows, agent);
    running.clock.now += month + 1;
    const expired = { status: 401, ...refusal("identity-refused", "has expired") };
    expect(await running.call(status, {}, shows, agent)).toMatchObject(expired);
    expect(await running.call(status, {}, shows)).toMatchObject(expired);
    running.clock.now -= 2 * month;
    expect(await running.call(status, {}, shows)).toMatchObject({ ...refusal("identity-refused", "not valid yet") });
    agent.destroy();
  });
});

describe("joining", () => {
  test("makes an instance with what the token says of it, and is written down", async ({ running }) => {
    const { id } = await joined(running, "proxy");
    const row = await running.store.get({ kind: "instance", name: id });
    expect(row?.body).toMatchObject({ hostname: "host1", kind: "proxy", labels: { env: "canary" } });
    const events = await running.store.events({ most: 10 });
    expect(events.map(({ event }) => event)).toEqual(["certificate.issued", "token.used", "token.created", "cluster.begun"]);
    expect(JSON.stringify(events)).not.toContain("PRIVATE KEY");
  });

  test("by a token for one use is for one of two who come at once, and the same key is answered again", async ({ running }) => {
    const token = await makeToken(running, { type: "node" });
    const [one, other] = await Promise.all([makeKeyPair(), makeKeyPair()]);
    const answers = await Promise.all([joinBy(running, token, one), joinBy(running, token, other)]);
    expect(answers.map((answer) => answer.status).toSorted((low, high) => low - high)).toEqual([200, 403]);
    const [winner, first] = answers[0].status === 200 ? [one, answers[0]] : [other, answers[1]];
    const again = identityIn(await joinBy(running, token, winner));
    expect(again.instanceId).toBe(identityIn(first).instanceId);
    running.clock.now += 3601;
    expect(await joinBy(running, token, winner)).toMatchObject({
      status: 403,
      ...refusal("join-refused", "unknown, expired, used up"),
    });
  });

  test.each([
    ["an unknown token", async () => "x".repeat(43), 0],
    ["a token that is too long", async () => "x".repeat(300), 0],
    ["an expired token", (running: OverTls) => makeToken(running, { type: "node", ttlSeconds: 60 }), 60],
  ])("is refused with the same words by %s", async (_what, tokenOf, later) => {
    await using running = await startOverTls();
    const token = await tokenOf(running);
    running.clock.now += later;
    expect(await joinBy(running, token, await makeKeyPair())).toMatchObject({
      status: 403,
      body: {
        message: expect.stringContaining("it is unknown, expired, used up, or of another kind"),
        // The kind that it joins as.
        details: [{ debug: { code: "join-refused", hint: expect.stringContaining("--type=node") } }],
      },
    });
  });

  test("asks for the token before anything is computed for who asks", async ({ running }) => {
    const body = { token: "x".repeat(43), certificateRequest: "none", hostname: "host1" };
    expect(await running.call("JoinService/Join", body)).toMatchObject({ status: 403, ...refusal("join-refused", "unknown") });
    const known = { ...body, token: await makeToken(running, { type: "node" }) };
    expect(await running.call("JoinService/Join", known)).toMatchObject({
      status: 400,
      ...refusal("request-refused", "the certificate request is not taken"),
    });
  });

  test("is refused where only the beginning of the digest is right", async ({ running }) => {
    const token = await makeToken(running, { type: "node" });
    const name = createHash("sha256").update(token).digest("hex").slice(0, 16);
    const item = await running.store.get({ kind: "token", name });
    await running.store.commit(commit([put("token", name, { ...item?.body, digest: name.padEnd(64, "0") })]));
    expect(await joinBy(running, token, await makeKeyPair())).toMatchObject({
      status: 403,
      ...refusal("join-refused", "unknown"),
    });
  });

  test("names every fault of what a host says of itself at once", async ({ running }) => {
    const body = { token: "x", certificateRequest: "none", hostname: "\u001b[31mred", services: ["a\nb"] };
    const answer = await running.call("JoinService/Join", body);
    expect(answer).toMatchObject({
      status: 400,
      body: { details: [{ debug: { wrong: [{ at: ".hostname" }, { at: ".services[0]" }] } }] },
    });
    expect(JSON.stringify(answer.body)).not.toContain("\u001b");
  });

  test("is over for the key of a removed instance", async ({ running }) => {
    const { id, pair, shows } = await joined(running, "node");
    await removeInstance(running, id);
    const removed = refusal("join-refused", "was removed from the cluster");
    expect(await joinBy(running, await makeToken(running, { type: "node" }), pair)).toMatchObject(removed);
    expect(await renewBy(running, shows, pair)).toMatchObject({ status: 401 });
    expect(running.context.removals.all()).toMatchObject([{ kind: "instance", name: id }]);
  });
});

describe("renewing", () => {
  test("says when to come again, and may bring a new key", async ({ running }) => {
    const { id, shows } = await joined(running, "node");
    const fresh = await makeKeyPair();
    const renewed = identityIn(await renewBy(running, shows, fresh));
    expect([renewed.instanceId, renewed.renewAfterSeconds]).toEqual([id, String(month / 2)]);
    const call = await running.call(status, {}, { cert: renewed.certificate, key: fresh.privateKey });
    expect(call.status).toBe(200);
  });

  test("takes a certificate that expired less than a year ago, and none that is older", async ({ running }) => {
    const { shows, pair } = await joined(running, "node");
    running.clock.now += month + year + 1;
    expect(await renewBy(running, shows, pair)).toMatchObject({
      status: 401,
      ...refusal("identity-refused", "more than a year ago"),
    });
    running.clock.now -= 2;
    identityIn(await renewBy(running, shows, pair));
  });

  test("is refused to whoever has no certificate, and to a key of somebody else's", async ({ running }) => {
    const [one, other] = [await joined(running, "node"), await joined(running, "node")];
    expect(await renewBy(running, undefined, one.pair)).toMatchObject({ status: 401 });
    expect(await renewBy(running, one.shows, other.pair)).toMatchObject({ ...refusal("identity-refused", "another instance") });
  });

  test("is refused to whoever is removed while they ask", async ({ running }) => {
    const { id, shows, pair } = await joined(running, "node");
    await removeInstance(running, id);
    const { renew } = await import("../../../src/cluster/auth/renew.ts");
    // As the gate let them in before.
    const caller = { kind: "instance", of: "node", id, serial: serialOf(shows.cert), from: 0, address: "127.0.0.1" } as never;
    const asked = { certificateRequest: makeRequest(pair.privateKey), hostname: "host1", services: [], version: "" };
    await expect(renew(running.context, caller, asked as never)).rejects.toMatchObject({ code: "identity-refused" });
  });

  test("by a lost answer locks nobody out, and shows two who use one key", async ({ running }) => {
    const { id, shows, pair } = await joined(running, "node");
    const cloned = async (): Promise<unknown> => (await running.store.get({ kind: "instance", name: id }))?.body["cloned"];
    await running.call(status, {}, shows);
    // The answer is lost: the same certificate comes again.
    identityIn(await renewBy(running, shows, pair));
    const arrived = identityIn(await renewBy(running, shows, pair));
    expect(await cloned()).toBeUndefined();
    await running.call(status, {}, { cert: arrived.certificate, key: pair.privateKey });
    // The newest has been used, and the older one renews: somebody else has it.
    const theirs = identityIn(await renewBy(running, shows, pair));
    expect(await cloned()).toBe(running.clock.now);
    expect(serialOf(theirs.certificate)).not.toBe(serialOf(arrived.certificate));
    const [newest] = await running.store.events({ event: "instance.cloned", most: 1 });
    expect(newest).toMatchObject({ kind: "instance", name: id });
  });

  test("takes a certificate that is newer than what a store knows that was put back, and a copy of it as one of two", async ({
    running,
  }) => {
    const { id, shows, pair } = await joined(running, "node");
    const item = { kind: "instance", name: id };
    const row = async (): Promise<JsonObject> => (await running.store.get(item))?.body ?? {};
    const backup = await row();
    running.clock.now += month / 2;
    const newer = identityIn(await renewBy(running, shows, pair));
    await running.store.commit(commit([put("instance", id, backup)]));
    const shown = { cert: newer.certificate, key: pair.privateKey };
    expect(await running.call(status, {}, shown)).toMatchObject({ status: 200 });
    running.clock.now += month / 2;
    const newest = identityIn(await renewBy(running, shown, pair));
    expect((await row())["cloned"]).toBeUndefined();
    await running.call(status, {}, { cert: newest.certificate, key: pair.privateKey });
    identityIn(await renewBy(running, shown, pair));
    expect((await row())["cloned"]).toBe(running.clock.now);
  });
});
