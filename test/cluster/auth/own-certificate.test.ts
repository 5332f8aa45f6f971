import { X509Certificate } from "node:crypto";
import { describe, expect } from "vitest";
import { ownCertificate } from "../../../src/cluster/auth/own-certificate.ts";
import { readPeer } from "../../../src/cluster/identity/peer.ts";
import { hostnamesOf, removeInstance } from "./over-tls.ts";
import { testOverTls as test } from "./fixtures.ts";

const month = 30 * 86_400;

describe("auth's own certificate", () => {
  test("is of one instance at every start, with another key, backdated for clocks that are behind", async ({ running }) => {
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
    expect(await hostnamesOf(running, "auth")).toEqual(["auth1", "auth2"]);
    expect(JSON.stringify(await running.store.events({ most: 20 }))).not.toContain("PRIVATE KEY");
  });

  test("has the hosts of public_addr, and hosts of the cluster take it all the same", async ({ running }) => {
    const { context } = running;
    const own = await ownCertificate({ ...context, publicHosts: ["auth.example.com", "192.0.2.7", "2001:db8::1"] }, "auth1");
    const read = new X509Certificate(own.certificate);
    expect(read.subjectAltName).toContain("DNS:auth.example.com, IP Address:192.0.2.7, IP Address:2001:DB8");
    expect(read.checkHost("auth.example.com")).toBe("auth.example.com");
    const { trusted } = context.authorities;
    expect(readPeer(read, trusted, context.cluster.id)).toMatchObject({ kind: "peer", peer: { subject: { kind: "auth" } } });
  });

  test("is of another instance once its own was removed", async ({ running }) => {
    const first = await ownCertificate(running.context, "auth1");
    await removeInstance(running, first.id);
    const second = await ownCertificate(running.context, "auth1");
    expect(second.id).not.toBe(first.id);
    const found = await running.store.get({ kind: "instance", name: first.id });
    expect(found?.body["removed"]).toBe(running.clock.now);
  });

  test("is made by several that begin at once, all of one instance", async ({ running }) => {
    const all = await Promise.all([1, 2, 3].map(() => ownCertificate(running.context, "auth1")));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  test("lives for an hour at least, however short others' certificates are", async ({ running }) => {
    const { context, clock } = running;
    const times = { ...context.times, certificateSeconds: 10 };
    const own = await ownCertificate({ ...context, times }, "auth1");
    expect([own.until - clock.now, own.renewAt - clock.now]).toEqual([3600, 1800]);
  });
});
