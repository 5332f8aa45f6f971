import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { instanceHandlers } from "../../../src/cluster/auth/instances.ts";
import { ownCertificate } from "../../../src/cluster/auth/own-certificate.ts";
import { readPeer } from "../../../src/cluster/identity/peer.ts";
import { startOverTls } from "./over-tls.ts";

const month = 30 * 86_400;
const root = { kind: "root", host: "auth1" } as const;

describe("auth's own certificate", () => {
  test("is of one instance at every start, with another key, backdated for clocks that are behind", async () => {
    await using running = await startOverTls();
    const first = await ownCertificate(running.context, "auth1");
    running.clock.now += month / 2;
    expect(first.renewAt).toBe(running.clock.now);
    const second = await ownCertificate(running.context, "auth1");
    const other = await ownCertificate(running.context, "auth2");
    expect([second.id === first.id, other.id === first.id]).toEqual([true, false]);
    expect(second.privateKey).not.toBe(first.privateKey);
    const read = new X509Certificate(second.certificate);
    expect(read.validFromDate.getTime() / 1000).toBe(running.clock.now - 2 * 86_400);
    expect(second.until).toBe(running.clock.now + month);
    const listed = await instanceHandlers.listInstances(running.context, root, {
      kind: "auth",
      withRemoved: false,
      pageSize: 0,
      pageToken: "",
    } as never);
    expect(listed.instances?.map(({ hostname }) => hostname).toSorted()).toEqual(["auth1", "auth2"]);
    expect(JSON.stringify(await running.store.events({ most: 20 }))).not.toContain("PRIVATE KEY");
  });

  test("has the hosts of public_addr, and hosts of the cluster take it all the same", async () => {
    await using running = await startOverTls();
    const { context } = running;
    const own = await ownCertificate({ ...context, publicHosts: ["auth.example.com", "192.0.2.7", "2001:db8::1"] }, "auth1");
    const read = new X509Certificate(own.certificate);
    expect(read.subjectAltName).toContain("DNS:auth.example.com, IP Address:192.0.2.7, IP Address:2001:DB8");
    expect(read.checkHost("auth.example.com")).toBe("auth.example.com");
    const { trusted } = context.authorities;
    expect(readPeer(read, trusted, context.cluster.id)).toMatchObject({ kind: "peer", peer: { subject: { kind: "auth" } } });
  });

  test("is of another instance once its own was removed", async () => {
    await using running = await startOverTls();
    const first = await ownCertificate(running.context, "auth1");
    await instanceHandlers.removeInstance(running.context, root, { id: first.id } as never);
    const second = await ownCertificate(running.context, "auth1");
    expect(second.id).not.toBe(first.id);
    const found = await running.store.get({ kind: "instance", name: first.id });
    expect(found?.body["removed"]).toBe(running.clock.now);
  });

  test("is made by several that begin at once, all of one instance", async () => {
    await using running = await startOverTls();
    const all = await Promise.all([1, 2, 3].map(() => ownCertificate(running.context, "auth1")));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  test("lives for an hour at least, however short others' certificates are", async () => {
    await using running = await startOverTls();
    const { context, clock } = running;
    const times = { ...context.times, certificateSeconds: 10 };
    const own = await ownCertificate({ ...context, times }, "auth1");
    expect([own.until - clock.now, own.renewAt - clock.now]).toEqual([3600, 1800]);
  });
});
