import { afterAll, describe, expect, test, onTestFinished } from "vitest";
import { nothingHeard } from "../../../../src/rules/channel/heard.ts";
import type { ChannelName } from "../../../../src/rules/channel/path.ts";
import type { UpstreamAnswer } from "../../../../src/proxy/server-rules/server-answer.ts";
import { askUpstream, type AskedUpstream, type AskUpstream, type Before } from "../../../../src/proxy/server/upstream/ask.ts";
import { openDispatchers, type Dispatchers } from "../../../../src/proxy/server/upstream/dispatchers.ts";
import { mostAtOnce, placesAtOrigins } from "../../../../src/proxy/server/upstream/places.ts";
import { loadTrust } from "../../../../src/machine/network/trust.ts";
import type { Route } from "../../../../src/rules/route/route.ts";
import type { Endpoint } from "../../../../src/rules/settings/settings.ts";
import { parseVersion } from "../../../../src/rules/version/version.ts";
import { createAuthority } from "../../../machine/network/fixture/authority.ts";
import { closedPort } from "../../../machine/network/fixture/closed-port.ts";
import { direct } from "../../../machine/network/fixture/ports.ts";
import { startProxy, type ProxyOptions } from "../../../machine/network/fixture/proxy.ts";
import { serve, serveRaw, type Answering } from "../../../machine/network/fixture/server.ts";
import { started } from "../../../machine/network/fixture/started.ts";

const now = 1_800_000_000;
const name = "one" as ChannelName;

async function asking(
  url: string,
  changes: Partial<AskUpstream> = {},
  before: Before = { answer: undefined, heard: nothingHeard },
): Promise<AskedUpstream> {
  const dispatchers: Dispatchers = changes.dispatchers ?? openDispatchers(undefined);
  onTestFinished(dispatchers.close);
  const ask: AskUpstream = {
    routeOf: () => direct,
    dispatchers,
    atOrigin: placesAtOrigins(),
    plainHttp: "loopback-only",
    now: () => now,
    leaveAlone: () => undefined,
    signal: new AbortController().signal,
    ...changes,
  };
  return askUpstream({ name, url: url as Endpoint }, before, ask);
}

async function answering(answer: Answering): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const server = await started(serve(answer));
  return { url: `http://127.0.0.1:${server.port}/channel/one`, asked: server.asked };
}

const faulty = (code: string, says: RegExp): object => ({ code, message: expect.stringMatching(says) });
const served = (text: string): object => ({ kind: "version", version: text });

describe("an upstream's answer", () => {
  test.each([
    ["v15.4.6\n", 200, "no\n", served("15.4.6"), false],
    ["15.4.6", 200, "yes", served("15.4.6"), true],
    [" v15.4.6-rc.1 ", 200, "true", served("15.4.6-rc.1"), true],
    ["v15.4.6", 404, "no such thing", served("15.4.6"), false],
    ["none", 200, "yes", { kind: "none" }, false],
  ])("%j, and to critical %i %j, is %j, critical %s", async (version, status, critical, serves, isCritical) => {
    const { url, asked } = await answering((path) =>
      path.endsWith("/version")
        ? { status: 200, body: version }
        : { status, body: critical, headers: { "x-svc-version": version.trim() } },
    );
    expect(await asking(url)).toMatchObject({ answer: { served: serves, isCritical, at: now }, uncertain: undefined });
    expect(asked[0]).toBe("/channel/one/version");
  });

  test.each([
    ["15.4.6", true],
    ["15.4.5", false],
  ])("without a word on critical is as critical as %s was, if it is that", async (before, isCritical) => {
    const { url } = await answering((path) => (path.endsWith("/version") ? { status: 200, body: "v15.4.6" } : { status: 500 }));
    const known: UpstreamAnswer = { served: { kind: "version", version: parseVersion(before)! }, isCritical: true, at: 1 };
    const asked = await asking(url, {}, { answer: known, heard: nothingHeard });
    expect(asked).toMatchObject({ answer: { isCritical, at: now }, uncertain: expect.stringMatching(/status 500/) });
  });

  test("on critical counts only of the version that the answer names", async () => {
    const says = { status: 200, body: "yes", headers: { "x-svc-version": "v15.4.7" } };
    const { url, asked } = await answering((path) => (path.endsWith("/version") ? { status: 200, body: "v15.4.6" } : says));
    const heard = await asking(url);
    expect(heard).toMatchObject({
      answer: { served: served("15.4.6"), isCritical: false },
      uncertain: expect.stringMatching(/^the answer is about v15\.4\.7, and v15\.4\.6 is served/),
    });
    expect(asked).toHaveLength(3);
  });

  test("on critical that names no version counts at the second time", async () => {
    const { url, asked } = await answering((path) => ({ status: 200, body: path.includes("/version") ? "v15.4.6" : "yes" }));
    const first = await asking(url);
    expect(first).toMatchObject({
      answer: { isCritical: false },
      uncertain: expect.stringMatching(/if the next answer is the same/),
    });
    expect(asked.slice(2)).toEqual([`/channel/one/critical?again=${now}`, `/channel/one/version?again=${now}`]);
    const second = await asking(url, {}, first);
    expect(second).toMatchObject({ answer: { isCritical: true }, uncertain: undefined });
  });

  test("that was critical stays so while its instances disagree", async () => {
    const { url } = await answering((path, nth) => ({
      status: 200,
      body: path.includes("/version") ? "v15.4.6" : nth % 2 === 0 ? "yes" : "no",
    }));
    const known: UpstreamAnswer = { served: { kind: "version", version: parseVersion("15.4.6")! }, isCritical: true, at: 1 };
    const heard = await asking(url, {}, { answer: known, heard: nothingHeard });
    expect(heard).toMatchObject({ answer: { isCritical: true }, heard: { disagreedAt: now }, uncertain: expect.any(String) });
  });

  test("is passed on with the number of its decision", async () => {
    const headers = { "x-svc-decision": "3.7" };
    const { url } = await answering((path) => ({ status: 200, headers, body: path.endsWith("/version") ? "v15.4.6" : "no" }));
    expect(await asking(url)).toMatchObject({ answer: { decision: "3.7" }, heard: { decision: { number: "3.7", at: now } } });
    const paused = await answering(() => ({ status: 200, headers, body: "none" }));
    expect(await asking(paused.url)).toMatchObject({ answer: { served: { kind: "none" }, decision: "3.7" } });
  });

  test.each([
    ["version", 429, { "retry-after": "120" }, [120_000]],
    ["version", 503, { "retry-after": "Mon, 23 Nov 2026 08:00:30 GMT", date: "Mon, 23 Nov 2026 08:00:00 GMT" }, [30_000]],
    ["critical", 429, { "retry-after": "7" }, [7000]],
    ["version", 429, {}, []],
    ["version", 429, { "retry-after": "soon" }, []],
    ["version", 500, { "retry-after": "120" }, []],
  ] as const)("to %s with %i and %j asks to be left alone for %j ms", async (about, status, headers, wanted) => {
    const { url } = await answering((path) =>
      path.endsWith(about) ? { status, headers } : { status: 200, body: path.endsWith("/version") ? "v1.2.3" : "no" },
    );
    const alone: number[] = [];
    await Promise.allSettled([asking(url, { leaveAlone: (ms) => void alone.push(ms) })]);
    expect(alone).toEqual(wanted);
  });

  test("is asked for again and again on connections that are kept", async () => {
    const server = await started(serve((path) => ({ status: 200, body: path.endsWith("/version") ? "v1.2.3" : "no" })));
    const dispatchers = openDispatchers(undefined);
    const url = `http://127.0.0.1:${server.port}`;
    for (let time = 0; time < 5; time += 1) await asking(url, { dispatchers });
    expect(server.asked.length).toBe(10);
    expect(server.openSockets()).toBeLessThanOrEqual(2);
  });
});

describe("channels of one origin, most of which get no answer", () => {
  /** So many that say nothing, asked before one that is answered: what came of each. */
  async function asked(silent: number): Promise<readonly PromiseSettledResult<AskedUpstream>[]> {
    const server = await started(
      serveRaw((socket, head) => {
        const body = head.includes("/version") ? "v1.2.3" : "no";
        if (head.startsWith("GET /well/")) socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      }),
    );
    const shared = { dispatchers: openDispatchers(undefined), atOrigin: placesAtOrigins(), wholeMs: 500 };
    const names = [...Array.from({ length: silent }, () => "silent"), "well"];
    return Promise.allSettled(names.map((channel) => asking(`http://127.0.0.1:${server.port}/${channel}`, shared)));
  }

  test.each([
    ["some", 5],
    ["more than are asked at once", 2 * mostAtOnce + 5],
  ])("do not keep the others from theirs: %s", async (_title, silent) => {
    const outcomes = await asked(silent);
    expect(outcomes.at(-1)).toMatchObject({ status: "fulfilled", value: { answer: { served: served("1.2.3") } } });
    const blamed = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [String(outcome.reason.message)] : []));
    expect(blamed).toHaveLength(silent);
    expect(blamed.every((message) => message.includes("/silent/version cannot be asked"))).toBe(true);
  });

  test("are never asked more at once than there are places", async () => {
    const atOrigin = placesAtOrigins();
    let [taken, most] = [0, 0];
    const act = async (): Promise<void> => {
      taken += 1;
      most = Math.max(most, taken);
      await new Promise((resolve) => setImmediate(resolve));
      taken -= 1;
      throw new Error("a question that fails gives its place back too");
    };
    await Promise.allSettled(Array.from({ length: 3 * mostAtOnce }, () => atOrigin("https://a.example", act)));
    expect([taken, most]).toEqual([0, mostAtOnce]);
  });
});

describe("an upstream that lies is a fault", () => {
  const to = (location: string): ReturnType<Answering> => ({ status: 302, headers: { location } });
  const long = { "x-long": "a".repeat(9000) };
  const refused: readonly (readonly [string, ReturnType<Answering>, string, RegExp])[] = [
    ["with a book", { status: 200, body: "v1.2.3 ".repeat(100_000) }, "answer-invalid", /more than 1024 bytes/],
    ["with too many headers", { status: 200, headers: long, body: "v1.2.3" }, "answer-invalid", /more headers/],
    ["with a circle", to("/channel/one/version"), "redirect-refused", /after 3 redirects/],
    ["with plain http abroad", to("http://a.example/"), "redirect-refused", /plain http on another host/],
  ];
  test.each(refused)("%s", async (_title, answer, code, message) => {
    const { url } = await answering(() => answer);
    await expect(asking(url)).rejects.toMatchObject(faulty(code, message));
  });

  test("where its answer trickles", async () => {
    const slow = await started(
      serveRaw((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
        const timer = setInterval(() => socket.write("v"), 20);
        socket.on("close", () => clearInterval(timer));
      }),
    );
    await expect(asking(`http://127.0.0.1:${slow.port}`, { wholeMs: 200 })).rejects.toMatchObject({
      message: expect.stringMatching(/no whole answer within/),
    });
  });

  test.each([
    [
      "breaks off",
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nv1",
      "channel-unreachable",
      /closed before the answer was complete/,
    ],
    ["is no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "answer-invalid", /does not answer in proper HTTP/],
  ])("where it %s", async (_title, bytes, code, message) => {
    const broken = await started(serveRaw((socket) => socket.end(bytes)));
    await expect(asking(`http://127.0.0.1:${broken.port}`)).rejects.toMatchObject(faulty(code, message));
  });

  test("where nobody listens", async () => {
    await expect(asking(`http://127.0.0.1:${closedPort}`)).rejects.toMatchObject(
      faulty("channel-unreachable", /cannot be asked directly \(no proxy variable is set\): the connection is refused/),
    );
  });
});

describe("an upstream is asked through a proxy", () => {
  const authority = createAuthority("upstream authority");
  afterAll(() => authority.remove());
  const pair = authority.issue({ name: "updates.example", altName: "DNS:updates.example" });
  const trust = loadTrust(authority.file, []);
  const version: Answering = (path) => ({ status: 200, body: path.endsWith("/version") ? "v15.4.6" : "yes" });

  const naming: Answering = (path, ...asked) => ({ ...version(path, ...asked), headers: { "x-svc-version": "v15.4.6" } });
  async function through(
    scheme: "http" | "https",
    options: Partial<ProxyOptions> = {},
  ): Promise<{ asked: Promise<AskedUpstream>; log: string[]; named: (string | false)[] }> {
    const upstream = await started(serve(naming, scheme === "https" ? pair : undefined));
    const running = await started(startProxy({ names: { "updates.example": upstream.port }, ...options }));
    const route: Route = { kind: "proxy", proxy: running.proxy, rule: "HTTPS_PROXY" };
    const ways = openDispatchers(trust);
    const asked = asking(`${scheme}://updates.example/one`, { routeOf: () => route, dispatchers: ways, plainHttp: "allowed" });
    return { asked, log: running.log, named: running.named };
  }
  const well = { answer: { served: served("15.4.6"), isCritical: true } };

  test("by CONNECT for https: the name is the proxy's to resolve", async () => {
    const { asked, log } = await through("https");
    expect(await asked).toMatchObject(well);
    expect([...new Set(log)]).toEqual(["CONNECT updates.example:443 200"]);
  });

  test("by asking the proxy itself for http", async () => {
    const { asked, log } = await through("http");
    expect(await asked).toMatchObject(well);
    expect(log).toEqual(["GET http://updates.example/one/version 200", "GET http://updates.example/one/critical 200"]);
  });

  test("with user and password, which no fault shows", async () => {
    const credentials = { user: "ann", password: "p@ss:word" };
    expect(await (await through("https", { credentials })).asked).toMatchObject(well);
    expect(await (await through("http", { credentials })).asked).toMatchObject(well);
  });

  test.each(["https", "http"] as const)("that speaks TLS itself, and whose address is no name to ask for: %s", async (scheme) => {
    const tls = authority.issue({ name: "127.0.0.1", altName: "IP:127.0.0.1" });
    const { asked, named } = await through(scheme, { tls });
    expect(await asked).toMatchObject(well);
    expect([...new Set(named)]).toEqual([false]);
  });

  test.each([
    ["https", "tls-untrusted"],
    ["http", "channel-unreachable"],
  ] as const)("whose certificate must be for its address: %s", async (scheme, code) => {
    const tls = authority.issue({ name: "127.0.0.1", altName: "IP:127.0.0.2" });
    await expect((await through(scheme, { tls })).asked).rejects.toMatchObject({ code });
  });

  test("and a proxy that refuses is told by its way", async () => {
    const { asked } = await through("https", { names: {} });
    await expect(asked).rejects.toMatchObject(
      faulty(
        "proxy-unreachable",
        /the proxy http:\/\/127\.0\.0\.1:\d+ \(HTTPS_PROXY\) answers CONNECT updates\.example:443 with 502/,
      ),
    );
  });
});

describe("an upstream's certificate", () => {
  test("with the right common name alone is not believed", async () => {
    const authority = createAuthority("upstream authority");
    try {
      const upstream = await started(
        serve(() => ({ status: 200, body: "v1.2.3" }), authority.issue({ name: "localhost", altName: undefined })),
      );
      const dispatchers = openDispatchers(loadTrust(authority.file, []));
      await expect(asking(`https://localhost:${upstream.port}/one`, { dispatchers })).rejects.toMatchObject(
        faulty("tls-untrusted", /localhost:\d+ is not trusted: the certificate has no subjectAltName.*WITHOUT_ALTNAME; store: /),
      );
      expect(upstream.asked).toEqual([]);
    } finally {
      authority.remove();
    }
  });
});
