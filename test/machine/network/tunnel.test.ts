import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { Duplex } from "node:stream";
import { askChannel } from "../../../src/machine/network/ask-channel.ts";
import type { Proxy } from "../../../src/rules/route/proxy.ts";
import type { Route } from "../../../src/rules/route/route.ts";
import { createAuthority, type Authority, type Pair } from "./fixture/authority.ts";
import { closedPort } from "./fixture/closed-port.ts";
import { fakePorts, questionFor, type FakePorts } from "./fixture/ports.ts";
import { startProxy, type ProxyOptions, type RunningProxy } from "./fixture/proxy.ts";
import { serve, serveRaw, serveSilence, type Answering, type Running } from "./fixture/server.ts";
import { started } from "./fixture/started.ts";

let authority: Authority;
let serverPair: Pair;
let proxyPair: Pair;
beforeAll(() => {
  authority = createAuthority("Private Authority");
  serverPair = authority.issue({ name: "server", altName: "DNS:version.invalid" });
  proxyPair = authority.issue({ name: "proxy", altName: "IP:127.0.0.1" });
});
afterAll(() => authority.remove());

/** Of names only the proxy knows: should anything here try to resolve one, the test fails. */
function through(proxy: Proxy, changes: Parameters<typeof fakePorts>[0] = {}): FakePorts {
  const route: Route = { kind: "proxy", proxy, rule: "HTTPS_PROXY" };
  return fakePorts({
    routeOf: () => route,
    systemStores: [],
    lookup: (name, _options, done) => done(new Error(`${name} was looked up here`), ""),
    ...changes,
  });
}

const secure = (): ReturnType<typeof questionFor> => questionFor("https://version.invalid", { caFile: authority.file });
const plain = (): ReturnType<typeof questionFor> =>
  questionFor("http://version.invalid", { caFile: authority.file, allowPlainHttp: true });

const versions: Answering = (path) => ({
  status: 200,
  headers: { "x-svc-version": "v15.4.6" },
  body: path.endsWith("/version") ? "v15.4.6" : "yes",
});
const path = "/v1/webapi/automaticupgrades/channel/stable/cloud";
const connect = (status: number): string => `CONNECT version.invalid:443 ${status}`;

async function proxyTo(server: Running, options: Omit<ProxyOptions, "names"> = {}): Promise<RunningProxy> {
  return started(startProxy({ names: { "version.invalid": server.port }, ...options }));
}

const faulty = (code: string, says: RegExp, hint = /./): object => ({
  fault: { code, message: expect.stringMatching(says), hint: expect.stringMatching(hint) },
});

describe("through a proxy", () => {
  const credentials = { user: "fleet", password: "p@ss:wörd %41" };
  const kinds: readonly [string, Omit<ProxyOptions, "names" | "tls"> & { readonly scheme: "http" | "https" }][] = [
    ["an http proxy", { scheme: "http" }],
    ["an http proxy that wants credentials", { scheme: "http", credentials }],
    ["an https proxy with a private authority", { scheme: "https" }],
    ["an https proxy that wants credentials", { scheme: "https", credentials }],
  ];

  it.each(kinds)("an https server is reached by CONNECT on %s", async (_title, { scheme, ...options }) => {
    const server = await started(serve(versions, serverPair));
    const proxy = await proxyTo(server, scheme === "https" ? { ...options, tls: proxyPair } : options);
    const answer = await askChannel(secure(), through(proxy.proxy));
    expect(answer).toEqual({ kind: "served", served: { kind: "version", version: "15.4.6" }, isCritical: true });
    expect(proxy.log).toEqual([connect(200), connect(200)]);
    expect(server.asked).toEqual([`${path}/version`, `${path}/critical`]);
    await expect.poll(() => proxy.openSockets()).toBe(0);
  });

  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["[2001:db8::7]", "2001:db8::7"],
  ])("a server named by its address, %s, must have that address in its certificate", async (host, address) => {
    const question = questionFor(`https://${host}`, { caFile: authority.file });
    for (const [altName, outcome] of [
      [`IP:${address}`, { kind: "served" }],
      // What Node takes for the name where a tunnel names none.
      ["DNS:localhost", { kind: "fault", fault: { code: "tls-untrusted" } }],
    ] as const) {
      const server = await started(serve(versions, authority.issue({ name: "addressed", altName })));
      const proxy = await started(startProxy({ names: { [host]: server.port, [address]: server.port } }));
      expect(await askChannel(question, through(proxy.proxy))).toMatchObject(outcome);
    }
  });

  it.each(kinds)("an http server is asked for by its whole URL on %s", async (_title, { scheme, ...options }) => {
    const server = await started(serve(versions));
    const proxy = await proxyTo(server, scheme === "https" ? { ...options, tls: proxyPair } : options);
    const answer = await askChannel(plain(), through(proxy.proxy));
    expect(answer).toMatchObject({ kind: "served", isCritical: true });
    expect(proxy.log).toEqual([
      `GET http://version.invalid${path}/version 200`,
      `GET http://version.invalid${path}/critical 200`,
    ]);
    await expect.poll(() => proxy.openSockets()).toBe(0);
  });

  it("the server never sees the proxy's credentials", async () => {
    let seen = "";
    const server = await started(
      serveRaw((socket, head) => {
        seen = head;
        socket.end("HTTP/1.1 404 No\r\n\r\n");
      }),
    );
    const proxy = await proxyTo(server, { credentials });
    await askChannel(plain(), through(proxy.proxy));
    expect(seen).toMatch(/^GET \/v1/);
    expect(seen.toLowerCase()).not.toContain("authorization");
  });

  it("every hop of a redirect goes its own way", async () => {
    const direct = await started(serve(() => ({ status: 200, body: "v15.4.5" })));
    const server = await started(serve(() => ({ status: 302, headers: { location: `http://127.0.0.1:${direct.port}/` } })));
    const proxy = await proxyTo(server);
    const ports = through(proxy.proxy, {
      routeOf: (url) =>
        url.includes("127.0.0.1")
          ? { kind: "direct", rule: "loopback" }
          : { kind: "proxy", proxy: proxy.proxy, rule: "HTTP_PROXY" },
    });
    expect(await askChannel(plain(), ports)).toMatchObject({ kind: "served" });
    expect(proxy.log).toEqual([`GET http://version.invalid${path}/version 200`]);
    expect(direct.asked).toEqual(["/"]);
  });

  it("a second name in the certificate does not help a server with another name", async () => {
    const server = await started(serve(versions, proxyPair));
    const proxy = await proxyTo(server, { tls: proxyPair });
    expect(await askChannel(secure(), through(proxy.proxy))).toMatchObject(
      faulty("tls-untrusted", /^version\.invalid:443 is not trusted: the certificate is for another host/),
    );
  });
});

describe("what a proxy does to CONNECT", () => {
  const accepted = "HTTP/1.1 200 OK\r\n";
  const unanswered = ["proxy-unreachable", /has not answered after 1 s/, /is an HTTP CONNECT proxy/] as const;
  const rows: readonly [title: string, string | ((socket: Duplex) => void), code: string, says: RegExp, hint: RegExp][] = [
    [
      "407",
      "HTTP/1.1 407 Who\r\n\r\n",
      "proxy-refused",
      /with 407 Who, although credentials are set/,
      /correct user and password/,
    ],
    [
      "403",
      "HTTP/1.1 403 No\r\ncontent-length: 2\r\n\r\nno",
      "proxy-refused",
      /with 403 No/,
      /allow CONNECT to version\.invalid:443/,
    ],
    ["502", "HTTP/1.1 502 Bad Gateway\r\n\r\n", "proxy-unreachable", /with 502/, /the proxy's log/],
    ["garbage", "\u0000\u0001garbage\r\n\r\n", "proxy-refused", /does not speak HTTP/, /host and port of the proxy/],
    ["a close", "", "proxy-unreachable", /closed the connection instead of answering/, /HTTP CONNECT proxy/],
    [
      "200, then a close",
      `${accepted}\r\n`,
      "channel-unreachable",
      /through the proxy http:\/\/127\.0\.0\.1:\d+ \(HTTPS_PROXY\): the connection was closed/,
      /log/,
    ],
    [
      "200, then garbage",
      (socket) => void socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.2\r\n")).write(`${accepted}\r\n`),
      "tls-untrusted",
      /does not speak TLS/,
      /port of `endpoint`/,
    ],
    [
      "200, then a stall",
      (socket) => void socket.write(`${accepted}\r\n`),
      "proxy-unreachable",
      /opened the tunnel to version\.invalid:443, and after 1 s nothing/,
      /may reach version\.invalid:443/,
    ],
    ["silence", () => undefined, ...unanswered],
    ["headers without end", (socket) => void socket.write(`${accepted}x: y`), ...unanswered],
  ];

  it.each(rows)("%s", async (_title, act, code, says, hint) => {
    const server = await started(serveSilence());
    const instead = typeof act === "string" ? (socket: Duplex) => void socket.end(act) : act;
    const proxy = await proxyTo(server, { instead, credentials: { user: "fleet", password: "planted-secret" } });
    const answer = await askChannel(secure(), through(proxy.proxy, { connectMs: 300 }));
    expect(answer).toMatchObject({ kind: "fault", ...faulty(code, says, hint) });
    expect(JSON.stringify(answer)).not.toContain("planted-secret");
    expect(proxy.log).toHaveLength(code.endsWith("unreachable") ? 3 : 1);
    await expect.poll(() => proxy.openSockets()).toBe(0);
  });

  it("says so when no credentials are set", async () => {
    const proxy = await started(startProxy({ names: {}, credentials: { user: "a", password: "b" } }));
    const answer = await askChannel(secure(), through({ ...proxy.proxy, credentials: undefined }));
    expect(answer).toMatchObject(faulty("proxy-refused", /no credentials are set/));
  });

  it("says so when an http URL needs them", async () => {
    const proxy = await started(startProxy({ names: {}, credentials: { user: "a", password: "b" } }));
    const answer = await askChannel(plain(), through({ ...proxy.proxy, credentials: { user: "a", password: "planted-secret" } }));
    expect(answer).toMatchObject(faulty("proxy-refused", /407.*although credentials are set/));
    expect(JSON.stringify(answer)).not.toContain("planted-secret");
  });
});

/** As fast as the other side reads. */
function flood(socket: Duplex): void {
  const line = Buffer.from(`x-flood: ${"a".repeat(60_000)}\r\n`);
  const pour = (): void => {
    while (!socket.destroyed && socket.write(line));
    if (!socket.destroyed) socket.once("drain", pour);
  };
  socket.write("HTTP/1.1 200 Connection established\r\n");
  pour();
}

const hundredMegabytes = 100 * 1024 * 1024;

test.each(["http", "https"] as const)(
  "an %s proxy whose answer to CONNECT has no end is refused at once, once, and before it has cost memory",
  async (scheme) => {
    let sent = 0;
    const instead = (socket: Duplex): void => {
      socket.on("close", () => (sent += (socket as Duplex & { bytesWritten: number }).bytesWritten));
      flood(socket);
    };
    const server = await started(serveSilence());
    const proxy = await proxyTo(server, scheme === "https" ? { tls: proxyPair, instead } : { instead });
    const before = process.memoryUsage().rss;
    expect(await askChannel(secure(), through(proxy.proxy))).toMatchObject(
      faulty("proxy-refused", new RegExp(`address ${scheme}://127\\.0\\.0\\.1:\\d+ .*more than 16 KiB of headers$`)),
    );
    await expect.poll(() => proxy.openSockets()).toBe(0);
    expect(proxy.log).toHaveLength(1);
    expect(sent).toBeGreaterThan(16 * 1024);
    expect(sent).toBeLessThan(hundredMegabytes);
    expect(process.memoryUsage().rss - before).toBeLessThan(2 * hundredMegabytes);
  },
);

test("a refusal with long headers and a longer page is still read as what it is", async () => {
  const says = `HTTP/1.1 403 Not Here\r\nx-why: ${"a".repeat(12_000)}\r\n\r\n${"<p>no</p>".repeat(10_000)}`;
  const proxy = await proxyTo(await started(serveSilence()), { instead: (socket) => void socket.end(says) });
  expect(await askChannel(secure(), through(proxy.proxy))).toMatchObject(faulty("proxy-refused", /with 403 Not Here/));
});

test("an https proxy that never shakes hands is waited for no longer than one that never answers", async () => {
  const silent = await started(serveSilence());
  const proxy: Proxy = { scheme: "https", host: "127.0.0.1", port: silent.port, credentials: undefined };
  expect(await askChannel(secure(), through(proxy, { connectMs: 300 }))).toMatchObject(
    faulty("proxy-unreachable", /has not answered after 1 s/),
  );
  await expect.poll(() => silent.openSockets()).toBe(0);
});

describe("a certificate with the right common name alone", () => {
  it.each([
    ["for https", secure],
    ["for http", plain],
  ])("is not enough for an https proxy %s", async (_title, question) => {
    const server = await started(serve(versions));
    const running = await proxyTo(server, { tls: authority.issue({ name: "localhost", altName: undefined }) });
    const answer = await askChannel(question(), through({ ...running.proxy, host: "localhost" }, { lookup: undefined }));
    expect(answer).toMatchObject(
      faulty(
        "tls-untrusted",
        /^the proxy https:\/\/localhost:\d+ \(HTTPS_PROXY\) is not trusted: .*no subjectAltName/,
        /^have the certificate issued again with `subjectAltName=DNS:localhost`/,
      ),
    );
    expect(running.log).toEqual([]);
  });

  it("is not enough for a server behind a proxy", async () => {
    const server = await started(serve(versions, authority.issue({ name: "version.invalid", altName: undefined })));
    const running = await proxyTo(server);
    expect(await askChannel(secure(), through(running.proxy))).toMatchObject(
      faulty("tls-untrusted", /^version\.invalid:443 is not trusted: .*no subjectAltName/),
    );
    expect(server.asked).toEqual([]);
  });
});

describe("a proxy that is not there", () => {
  it.each([
    ["for https", secure, "http"],
    ["for http", plain, "http"],
    ["for https by TLS", secure, "https"],
  ] as const)("is named when it refuses the connection %s", async (_title, question, scheme) => {
    const credentials = { user: "fleet", password: "planted-secret" };
    const answer = await askChannel(question(), through({ scheme, host: "127.0.0.1", port: closedPort, credentials }));
    expect(answer).toMatchObject(
      faulty(
        "proxy-unreachable",
        /^the proxy https?:\/\/127\.0\.0\.1:\d+ \(HTTPS_PROXY\) cannot be reached: the connection is refused/,
      ),
    );
    expect(JSON.stringify(answer)).not.toContain("planted-secret");
  });

  it("is named when its name does not resolve", async () => {
    const proxy: Proxy = { scheme: "http", host: "proxy.invalid", port: 3128, credentials: undefined };
    const answer = await askChannel(
      secure(),
      through(proxy, {
        lookup: (name, _options, done) =>
          done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }), ""),
      }),
    );
    expect(answer).toMatchObject(faulty("proxy-unreachable", /knows the name proxy\.invalid/));
  });

  it.each([
    ["for https", secure],
    ["for http", plain],
  ])("is not trusted with a certificate for another host %s", async (_title, question) => {
    const server = await started(serveSilence());
    const proxy = await proxyTo(server, { tls: serverPair });
    const answer = await askChannel(question(), through(proxy.proxy));
    expect(answer).toMatchObject(faulty("tls-untrusted", /^the proxy https:\/\/127\.0\.0\.1:\d+ .*for another host/));
    expect(proxy.log).toEqual([]);
  });
});
