import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../../../src/cluster/api/call.ts";
import type { Fault } from "../../../src/rules/fault/fault.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { loadTrust } from "../../../src/machine/network/trust.ts";
import { towards } from "../../../src/cluster/session/signed-in.ts";
import { overProxy, type Asking } from "../../../src/cluster/session/over-proxy.ts";
import { startProxy } from "../../machine/network/fixture/proxy.ts";
import { serve } from "../../machine/network/fixture/server.ts";
import { clusterId, startProxyOfCluster, token, type ProxyOfCluster } from "./cluster.ts";

let cluster: ProxyOfCluster;
beforeAll(async () => {
  cluster = await startProxyOfCluster("IP:127.0.0.1,DNS:proxy.example");
});
afterAll(() => cluster[Symbol.asyncDispose]());

const now = (): number => Math.floor(Date.now() / 1000);
const who = { method: "SessionService/GetSession", request: {} } as const;

async function asking(more: Partial<Asking> = {}): Promise<Asking> {
  const { privateKey } = await makeKeyPair();
  return {
    proxy: { host: "127.0.0.1", port: cluster.port },
    trust: () => loadTrust(cluster.caFile),
    typed: "tsh login" as const,
    routeOf: () => ({ kind: "direct", rule: "no HTTPS_PROXY is set" }),
    proving: { cluster: clusterId, privateKey, token },
    now,
    clockAheadSeconds: 0,
    ...more,
  };
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  return await work.then(
    () => expect.fail("it was answered"),
    (thrown: unknown) => thrown as Fault,
  );
}

test("a call goes through an HTTP proxy, which sees the name alone", async () => {
  const between = await startProxy({ names: { "proxy.example": cluster.port } });
  try {
    const transport = overProxy(
      await asking({
        proxy: { host: "proxy.example", port: 443 },
        routeOf: () => ({ kind: "proxy", proxy: between.proxy, rule: "HTTPS_PROXY" }),
      }),
    );
    expect((await call(transport, who)).session?.user).toBe("alice");
    expect(between.log).toEqual(["CONNECT proxy.example:443 200"]);
  } finally {
    await between.close();
  }
});

test("an HTTP proxy that opens the way and closes it again is named, and so is the variable", async () => {
  const between = await startProxy({ names: {}, instead: (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n") });
  try {
    const routeOf = () => ({ kind: "proxy", proxy: between.proxy, rule: "HTTPS_PROXY" }) as const;
    const fault = await faultOf(call(overProxy(await asking({ proxy: { host: "proxy.example", port: 443 }, routeOf })), who));
    expect([fault.code, fault.message]).toEqual([
      "auth-unreachable",
      expect.stringMatching(/^the proxy proxy\.example cannot be reached through the proxy http:\S+ \(HTTPS_PROXY\): /),
    ]);
    expect(fault.hint).toContain("see to HTTPS_PROXY in your environment; or reach the cluster without it: `export NO_PROXY=");
  } finally {
    await between.close();
  }
});

test("the variables of the environment are heeded, and their faults name it", async () => {
  const meeting = { proxy: { host: "proxy.example", port: 443 }, caFile: undefined, proving: undefined, clockAheadSeconds: 0 };
  const greet = (environment: Record<string, string>): Promise<unknown> =>
    call(towards(meeting, { environment, now }), { method: "SessionService/Greet", request: {} });
  const wrong = await faultOf(greet({ HTTPS_PROXY: "http://localhost:3128" }));
  expect([wrong.code, wrong.hint]).toEqual(["proxy-invalid", expect.stringContaining("in your environment")]);
  const away = await faultOf(greet({ HTTPS_PROXY: "http://nowhere.invalid:3128" }));
  expect([away.code, away.hint]).toEqual(["proxy-unreachable", expect.stringContaining("`export NO_PROXY=proxy.example:443`")]);
  const around = await faultOf(greet({ HTTPS_PROXY: "http://nowhere.invalid:3128", NO_PROXY: "proxy.example:443" }));
  expect(around.message).toContain("the proxy proxy.example cannot be reached: no name server");
});

test("a call whose proof is too old is made once more by auth's clock, and the next is right at once", async () => {
  cluster.asked.length = 0;
  const transport = overProxy(await asking({ now: () => now() - 4000 }));
  await call(transport, who);
  await call(transport, who);
  const proofs = cluster.asked.map(({ proof }) => (proof?.kind === "proven" ? "proven" : proof?.why));
  expect(proofs).toEqual(["not-fresh", "proven", "proven"]);
});

test("a call that is refused for another reason is not made again", async () => {
  cluster.asked.length = 0;
  const { privateKey } = await makeKeyPair();
  const other = { cluster: "00000000-0000-4000-8000-000000000000" as typeof clusterId, privateKey, token };
  const fault = await faultOf(call(overProxy(await asking({ proving: other })), who));
  expect([fault.code, cluster.asked.length]).toEqual(["proof-refused", 1]);
});

test("no answer from another kind of server is taken for one", async () => {
  const tls = cluster.authority.issue({ name: "web", altName: "IP:127.0.0.1" });
  const web = await serve(() => ({ status: 404, headers: { "content-type": "text/html" }, body: "<html>" }), tls);
  try {
    const fault = await faultOf(call(overProxy(await asking({ proxy: { host: "127.0.0.1", port: web.port } })), who));
    expect([fault.code, fault.message]).toEqual(["auth-mismatch", expect.stringContaining("HTTP status 404")]);
    expect(fault.hint).toContain("public address");
  } finally {
    await web.close();
  }
});

test("plain http is told, and nothing is said to it", async () => {
  const plain = await serve(() => ({ status: 200 }));
  try {
    const fault = await faultOf(call(overProxy(await asking({ proxy: { host: "127.0.0.1", port: plain.port } })), who));
    expect([fault.code, fault.message]).toEqual(["certificate-refused", expect.stringContaining("does not speak TLS")]);
    expect(fault.hint).toContain("public address");
    expect(plain.asked).toEqual([]);
  } finally {
    await plain.close();
  }
});

test("where nobody listens it is said, and what to look at", async () => {
  const fault = await faultOf(call(overProxy(await asking({ proxy: { host: "127.0.0.1", port: 1 } })), who));
  expect([fault.code, fault.message]).toEqual(["auth-unreachable", expect.stringContaining("refused")]);
  expect(fault.hint).toContain("HTTPS_PROXY");
});

const certificates = [
  ["expired", { name: "proxy", altName: "IP:127.0.0.1", validity: "expired" }, "has expired", "renewed"],
  ["of another name", { name: "proxy", altName: "DNS:elsewhere.example" }, "addresses|another host|alone", "name"],
  ["without a name", { name: "127.0.0.1", altName: undefined }, "no subjectAltName", ""],
] as const;
test.each(certificates)("a certificate that is %s is refused before anything is sent", async (_what, subject, words, hint) => {
  let heard = 0;
  const pair = cluster.authority.issue(subject);
  const server = await serve(() => {
    heard += 1;
    return { status: 200 };
  }, pair);
  try {
    const fault = await faultOf(call(overProxy(await asking({ proxy: { host: "127.0.0.1", port: server.port } })), who));
    expect([fault.code, fault.message]).toEqual(["certificate-refused", expect.stringMatching(words)]);
    expect(fault.hint).toContain(hint);
    expect(heard).toBe(0);
  } finally {
    await server.close();
  }
});
