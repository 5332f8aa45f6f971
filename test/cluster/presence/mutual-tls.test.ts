import { createPublicKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { call } from "../../../src/cluster/api/call.ts";
import { issue, type Authority } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { loadTrust } from "../../../src/machine/network/trust.ts";
import { overMutualTls, type MutualTls, type Ways } from "../../../src/cluster/presence/mutual-tls.ts";
import type { Proxy } from "../../../src/rules/route/proxy.ts";
import { startOverTls, type OverTls } from "../auth/over-tls.ts";
import { authorityOf, cluster, instance, trusted } from "../identity/made.ts";
import { createAuthority } from "../../machine/network/fixture/authority.ts";
import { startProxy, type ProxyOptions } from "../../machine/network/fixture/proxy.ts";
import { joinedTo, makeHost } from "./host.ts";
import { startImpostor, startPlain, type Impostor, type Showing } from "./impostor.ts";
import { directWays } from "./ways.ts";

const now = Math.floor(Date.now() / 1000);
const day = 86_400;
const month = { from: now - 2 * day, until: now + 30 * day };

/** Of a host that has joined the cluster of the authority. */
async function joinedAt(port: number, authority: Authority, time = { now }): Promise<MutualTls> {
  const pair = await makeKeyPair();
  const subject = { cluster, kind: "proxy", id: instance } as const;
  const { certificate } = await issue(authority, { subject, publicKey: createPublicKey(pair.publicKey), validity: month });
  return overMutualTls({
    addresses: [{ host: "127.0.0.1", port }],
    known: { kind: "joined", cluster, authorities: [trusted(authority)] },
    shows: { certificate, privateKey: pair.privateKey },
    ways: directWays,
    now: () => time.now,
  });
}

function ask(transport: MutualTls, timeoutMs?: number): Promise<unknown> {
  return call(transport, { method: "ClusterService/GetStatus", request: {} }, timeoutMs === undefined ? {} : { timeoutMs });
}

async function showing(changes: Partial<Showing> & { readonly signer: Authority }): Promise<Impostor> {
  return startImpostor({ cluster, now, ...changes });
}

const json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";

describe("over mutual TLS", () => {
  test("calls go on with the session of the one before", async () => {
    const authority = await authorityOf();
    await using auth = await showing({ signer: authority, answer: json });
    const transport = await joinedAt(auth.port, authority);
    for (let asked = 0; asked < 3; asked += 1) expect(await ask(transport)).toEqual({});
    expect(auth.resumed).toEqual([false, true, true]);
    expect(auth.heard()).toContain("POST /svc.v1.ClusterService/GetStatus HTTP/1.1");
  });

  test("a session counts no longer than the certificate that began it", async () => {
    const authority = await authorityOf();
    await using auth = await showing({ signer: authority, answer: json });
    const time = { now };
    const transport = await joinedAt(auth.port, authority, time);
    await ask(transport);
    await ask(transport);
    expect(auth.resumed).toEqual([false, true]);
    const before = auth.heard();
    time.now = now + 2 * day;
    await expect(ask(transport)).rejects.toMatchObject({ code: "clock-differs" });
    expect(auth.heard()).toBe(before);
  });

  test.each([
    [
      "another authority of the same name",
      async () => ({ signer: await authorityOf() }),
      "is not signed by an authority of this",
    ],
    ["a certificate of a node", async (signer: Authority) => ({ signer, kind: "node" as const }), "is of the kind node"],
  ])("nothing is sent to who shows %s", async (_what, shown, saying) => {
    const authority = await authorityOf();
    await using impostor = await showing(await shown(authority));
    await expect(ask(await joinedAt(impostor.port, authority))).rejects.toMatchObject({
      code: "auth-mismatch",
      message: expect.stringContaining(saying),
    });
    expect(impostor.heard()).toBe("");
    expect(impostor.met()).toBe(1);
  });

  test.each([
    ["is no HTTP", "nonsense\r\n\r\n", "auth-mismatch", "does not answer in proper HTTP"],
    ["is no JSON", json.replace("{}", "no"), "auth-mismatch", "it is no JSON"],
    ["is of another kind", json.replace("application/json", "text/html"), "auth-mismatch", "it is text/html"],
    ["breaks off", json.replace("length: 2", "length: 9"), "auth-unreachable", "broke off before it had answered"],
    ["is missing", "", "auth-unreachable", "broke off before it had answered"],
  ])("an answer that %s is told", async (_what, answer, code, saying) => {
    const authority = await authorityOf();
    await using auth = await showing({ signer: authority, answer });
    await expect(ask(await joinedAt(auth.port, authority))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(saying),
    });
  });

  test("an answer that does not come is waited for no longer than that", async () => {
    const authority = await authorityOf();
    await using auth = await showing({ signer: authority });
    await expect(ask(await joinedAt(auth.port, authority), 200)).rejects.toMatchObject({
      code: "auth-unreachable",
      message: expect.stringContaining("did not answer in time"),
    });
  });
});

test("one that takes the connection and says nothing keeps nobody from the next address", async () => {
  const authority = await authorityOf();
  await using auth = await showing({ signer: authority, answer: json });
  await using silent = await startPlain("never");
  const dead = Array.from({ length: 6 }, (_, index) => ({ host: "127.0.0.1", port: 1 + index }));
  const asked = {
    known: { kind: "joined", cluster, authorities: [trusted(authority)] },
    shows: undefined,
    ways: directWays,
    now: () => now,
  } as const;
  const addresses = [{ host: "127.0.0.1", port: silent.port }, ...dead, { host: "127.0.0.1", port: auth.port }];
  expect(await ask(overMutualTls({ ...asked, addresses }))).toEqual({});
  // The more addresses there are, the shorter each is waited for.
  const silentAndDead = [addresses[0]!, ...Array.from({ length: 9 }, () => dead).flat()];
  await expect(ask(overMutualTls({ ...asked, addresses: silentAndDead }))).rejects.toMatchObject({
    code: "auth-unreachable",
    message: expect.stringMatching(
      /none of 55 addresses leads to auth: .*has not come to the end of the TLS handshake in time; .*:6, ECONNREFUSED/,
    ),
  });
});

describe("through a proxy", () => {
  const credentials = { user: "fleet", password: "p@ss:wörd %41" };

  async function joinThrough(auth: OverTls, proxy: Proxy, trust: Ways["trust"]): Promise<unknown> {
    using host = makeHost(auth);
    const ways: Ways = {
      routeOf: () => ({ kind: "proxy", proxy, rule: "HTTPS_PROXY" }),
      trust,
      lookup: (name, _options, done) => done(new Error(`${name} was looked up here`), ""),
    };
    const authServers = [{ host: "auth.invalid", port: 3025 }];
    const { identity } = await joinedTo(auth, { ...host, ports: { ...host.ports, ways } }, { authServers });
    return identity.stored.authServers;
  }

  async function through(
    options: Omit<ProxyOptions, "names">,
    work: (auth: OverTls, proxy: Proxy, log: readonly string[]) => Promise<void>,
  ) {
    await using auth = await startOverTls();
    const proxy = await startProxy({ names: { "auth.invalid": auth.port }, ...options });
    try {
      await work(auth, proxy.proxy, proxy.log);
    } finally {
      await proxy.close();
    }
  }

  test.each([
    ["that wants nothing", {}],
    ["that wants a password", { credentials }],
  ])("auth is reached by CONNECT on one %s", async (_what, options) => {
    await through(options, async (auth, proxy, log) => {
      expect(await joinThrough(auth, proxy, () => expect.fail("no proxy spoke TLS"))).toEqual(["auth.invalid:3025"]);
      expect(log).toEqual(["CONNECT auth.invalid:3025 200", "CONNECT auth.invalid:3025 200"]);
    });
  });

  test("auth is reached on one that speaks TLS itself", async () => {
    const authority = createAuthority("Private Authority");
    try {
      await through({ tls: authority.issue({ name: "proxy", altName: "IP:127.0.0.1" }), credentials }, async (auth, proxy) => {
        expect(await joinThrough(auth, proxy, () => loadTrust(authority.file, []))).toEqual(["auth.invalid:3025"]);
      });
      const other = createAuthority("Another Authority");
      try {
        await through({ tls: other.issue({ name: "proxy", altName: "IP:127.0.0.1" }) }, async (auth, proxy) => {
          const joining = joinThrough(auth, proxy, () => loadTrust(authority.file, []));
          await expect(joining).rejects.toMatchObject({
            code: "tls-untrusted",
            message: expect.stringMatching(/^the proxy .*it shows "CN=proxy"/),
            hint: expect.stringContaining("update-ca-certificates"),
          });
        });
      } finally {
        other.remove();
      }
    } finally {
      authority.remove();
    }
  });

  test.each([
    ["a wrong password", { credentials }, { user: "fleet", password: "wröng:secret" }, "407", "proxy-refused"],
    [
      "no way to auth",
      { instead: (socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n") },
      credentials,
      "502",
      "proxy-unreachable",
    ],
  ] satisfies readonly [string, Omit<ProxyOptions, "names">, NonNullable<Proxy["credentials"]>, string, string][])(
    "one that answers with %s is told, and its password is not",
    async (_what, options, given, saying, code) => {
      await through(options, async (auth, proxy) => {
        const thrown: unknown = await joinThrough(auth, { ...proxy, credentials: given }, () => loadTrust(undefined)).catch(
          (fault: unknown) => fault,
        );
        expect(thrown).toMatchObject({ code, message: expect.stringContaining(saying) });
        const { message, hint } = thrown as { readonly message: string; readonly hint: string };
        expect(`${message} ${hint}`).not.toContain("secret");
        expect(`${message} ${hint}`).not.toContain("p@ss");
      });
    },
  );
});
