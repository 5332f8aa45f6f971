import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { Agent } from "node:https";
import { describe, expect } from "vitest";
import { issue } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { authServerName } from "../../../src/cluster/identity/names.ts";
import type { Store } from "../../../src/cluster/storage/port.ts";
import { authorityOf, otherCluster } from "../identity/made.ts";
import { call, callIn, session, shakeHands, startWithHosts, status, type Trusting } from "./hosts.ts";
import { startBeside } from "./running.ts";
import { testWithHosts as test } from "./fixtures.ts";
import { commit, put } from "../storage/filled.ts";

const question = `POST /svc.v1.${status} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;

/** By TLS 1.2, where it is there once the handshake is. */
async function ticketOf(trusting: Trusting): Promise<Buffer> {
  const socket = await shakeHands(trusting, { maxVersion: "TLSv1.2" });
  const ticket = socket.getSession()!;
  socket.destroy();
  return ticket;
}

async function isResumed(trusting: Trusting, ticket: Buffer): Promise<boolean> {
  const socket = await shakeHands(trusting, { maxVersion: "TLSv1.2", session: ticket });
  const isReused = socket.isSessionReused();
  socket.destroy();
  return isReused;
}

describe("one port", () => {
  test("speaks HTTP/1.1 and HTTP/2 to whoever has joined, by the cluster's name of auth", async ({ running }) => {
    const { trusting } = await running.join("node");
    expect(await call(trusting, status, {})).toMatchObject({ status: 200, body: { clusterId: running.cluster } });
    const opened = session(trusting);
    expect(await callIn(opened, status, {})).toMatchObject({ status: 200, body: { clusterId: running.cluster } });
    opened.destroy();
    expect(running.auth.port).toBeGreaterThan(0);
  });

  test("shows a certificate for that name, and for no other", async ({ running }) => {
    const asked = call({ ...running.stranger, servername: authServerName(otherCluster) }, status, {});
    await expect(asked).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  });

  test("takes no TLS below 1.2", async ({ running }) => {
    await expect(shakeHands(running.stranger, { minVersion: "TLSv1", maxVersion: "TLSv1.1" })).rejects.toThrow(/alert|protocol/i);
  });
});

describe("an instance that is removed", () => {
  test("is cut off at once, over both, called or not; others stay", async ({ running }) => {
    const [removed, other] = [await running.join("node"), await running.join("node")];
    const agent = new Agent({ keepAlive: true });
    const [opened, silent, others] = [session(removed.trusting), await shakeHands(removed.trusting), session(other.trusting)];
    expect(await callIn(opened, status, {})).toMatchObject({ status: 200 });
    expect(await callIn(others, status, {})).toMatchObject({ status: 200 });
    expect(await call(removed.trusting, status, {}, { agent })).toMatchObject({ status: 200 });
    const kept = Object.values(agent.freeSockets).flat()[0]!;
    const closed = [once(opened, "close"), once(silent.resume(), "close"), once(kept, "close")];
    await running.ask("InstanceService/RemoveInstance", { id: removed.id });
    await Promise.all(closed);
    expect(await callIn(others, status, {})).toMatchObject({ status: 200 });
    others.destroy();
    agent.destroy();
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)("is not let in by a session that it resumes, over %s", async (version) => {
    await using running = await startWithHosts();
    const { id, trusting } = await running.join("node");
    const versions = { minVersion: version, maxVersion: version };
    const first = await shakeHands(trusting, versions);
    const given = once(first, "session");
    first.write(question);
    expect(String((await once(first, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
    // With TLS 1.3 it comes after the handshake, and is another thing than what getSession gives.
    const ticket = version === "TLSv1.2" ? first.getSession()! : ((await given) as [Buffer])[0];
    await running.ask("InstanceService/RemoveInstance", { id });
    const again = await shakeHands(trusting, { ...versions, session: ticket });
    expect(again.isSessionReused()).toBe(true);
    again.write(question);
    expect(String((await once(again, "data"))[0])).toMatch(/^HTTP\/1\.1 401 /);
    again.destroy();
  });
});

describe("what it speaks TLS with", () => {
  test("is renewed at half of its life, sessions go on, and nobody is cut off", async () => {
    await using running = await startWithHosts({ limits: { lookMs: 20 }, times: { certificateSeconds: 3600 } });
    const { trusting } = await running.join("node");
    const open = session(trusting);
    await callIn(open, status, {});
    const serial = async (): Promise<string> => {
      const socket = await shakeHands(trusting);
      const shown = socket.getPeerX509Certificate()!.serialNumber;
      socket.destroy();
      return shown;
    };
    const ticket = await ticketOf(trusting);
    const before = await serial();
    running.clock.ahead += 1800;
    await expect.poll(serial).not.toBe(before);
    expect(running.lines.map(({ sentence }) => sentence)).toContain("auth has renewed its own certificate");
    expect(await callIn(open, status, {})).toMatchObject({ status: 200 });
    open.destroy();
    expect(await isResumed(trusting, ticket)).toBe(true);
  });

  test("changes its ticket keys each day, and another auth has the same: a session is resumed there", async () => {
    await using running = await startWithHosts({ limits: { lookMs: 20 } });
    const other = await startBeside(running, { dataDirectory: `${running.directory}/store`, hostname: "auth2" });
    const { trusting } = await running.join("node");
    const ticket = await ticketOf(trusting);
    expect(await isResumed(trusting, ticket)).toBe(true);
    expect(await isResumed({ ...trusting, port: other.port }, ticket)).toBe(true);
    await other.stop();
    running.clock.ahead += 86_401;
    await expect.poll(() => isResumed(trusting, ticket)).toBe(false);
    expect(await isResumed(trusting, await ticketOf(trusting))).toBe(true);
  });

  test("stays as it is while the store fails; that is logged, and it is tried again", async () => {
    let isFailing = false;
    const storeFor = (store: Store): Store => ({
      ...store,
      list: async (...asked) => {
        if (isFailing) throw new Error("the disk is gone");
        return store.list(...asked);
      },
    });
    await using running = await startWithHosts({ limits: { lookMs: 20 }, storeFor });
    isFailing = true;
    const told = (): unknown => running.lines.find(({ fields }) => fields["what"] === "the certificate authorities")?.fields;
    await expect.poll(told).toMatchObject({ why: "the disk is gone" });
    const { trusting } = await running.join("node");
    expect(trusting.cert).toContain("BEGIN CERTIFICATE");
    isFailing = false;
    running.clock.ahead += 16 * 86_400;
    const sentences = (): readonly string[] => running.lines.map(({ sentence }) => sentence);
    await expect.poll(sentences).toContain("auth has renewed its own certificate");
  });

  test("trusts an authority that another auth has made, without a restart", async () => {
    await using running = await startWithHosts({ limits: { lookMs: 20 } });
    const { id } = await running.join("node");
    const second = await authorityOf(running.cluster);
    const pair = await makeKeyPair();
    const at = Math.floor(Date.now() / 1000);
    const { certificate } = await issue(second, {
      subject: { cluster: running.cluster, kind: "node", id },
      publicKey: createPublicKey(pair.publicKey),
      validity: { from: at - 60, until: at + 3600 },
    });
    const trusting = { ...running.stranger, cert: certificate, key: pair.privateKey };
    expect(await call(trusting, status, {})).toMatchObject({ status: 401 });
    await running.store.commit(
      commit([put("authority", second.pin, { certificate: second.certificate, private_key: second.privateKey, made: at + 1 })]),
    );
    await expect.poll(async () => (await call(trusting, status, {})).status).toBe(200);
  });
});
