import { once } from "node:events";
import { createServer, request as httpRequest, Agent, type ClientRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { Meter } from "../../../src/proxy/server/meter.ts";
import { relayFor, relayLimits, type Relay, type RelayedCall, type RelayLimits } from "../../../src/proxy/server/relay.ts";
import { loaded, running, type Started } from "./running.ts";

type Heard = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };
type Asked = {
  readonly path?: string;
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly localAddress?: string;
};

const path = "/svc.v1.ResourceService/ListResources";
let server: Started | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** What auth is asked, and what it answers. */
async function relaying(
  answers: (call: RelayedCall) => Promise<string>,
): Promise<{ readonly calls: RelayedCall[]; readonly port: number }> {
  const calls: RelayedCall[] = [];
  const relay: Relay = {
    isForPeople: (asked) => asked === path,
    visit: () => Promise.reject(new Error("nobody visits")),
    post: async (call) => {
      calls.push(call);
      const body = new TextEncoder().encode(await answers(call));
      return { status: 200, contentType: "application/json", retryAfter: undefined, date: "Mon, 05 Jan 2026 12:00:00 GMT", body };
    },
  };
  server = await running(await loaded("{}"), {}, { relay });
  return { calls, port: server.port };
}

function ask(
  port: number,
  { path: asked = path, method = "POST", body = "{}", headers = {}, localAddress = "127.0.0.1" }: Asked,
  agent?: Agent,
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const asking = httpRequest(
      {
        port,
        host: "127.0.0.1",
        path: asked,
        method,
        agent,
        localAddress,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (piece) => (text += piece));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      },
    );
    asking.on("error", reject);
    asking.end(body);
  });
}

describe("a call of somebody's", () => {
  test("is handed on with its proof and where it comes from, and nothing else of it", async () => {
    const { calls, port } = await relaying(async () => '{"resources":[]}');
    const headers = {
      authorization: "DPoP abc",
      dpop: "a.b.c",
      cookie: "secret",
      "svc-client-address": "192.0.2.1",
      "x-forwarded-for": "192.0.2.1",
    };
    const heard = await ask(port, { body: '{"kind":"role"}', headers });
    expect([heard.status, heard.text]).toEqual([200, '{"resources":[]}']);
    expect(heard.headers).toMatchObject({ date: "Mon, 05 Jan 2026 12:00:00 GMT", "cache-control": "no-store" });
    expect(calls.map((call) => ({ path: call.path, body: Buffer.from(call.body).toString(), headers: call.headers }))).toEqual([
      { path, body: '{"kind":"role"}', headers: { authorization: "DPoP abc", dpop: "a.b.c", "svc-client-address": "127.0.0.1" } },
    ]);
  });

  test("may be as large as auth takes, and no larger", async () => {
    const { calls, port } = await relaying(async () => "{}");
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await ask(port, { body: Buffer.alloc(relayLimits.bodyBytes, 97) }, agent)).status).toBe(200);
    expect(calls[0]?.body.length).toBe(relayLimits.bodyBytes);
    // The connection serves on.
    expect((await ask(port, {}, agent)).status).toBe(200);
    agent.destroy();
    const heard = await ask(port, { body: Buffer.alloc(relayLimits.bodyBytes + 1, 97) });
    expect([heard.status, JSON.parse(heard.text)]).toMatchObject([413, { code: "resource_exhausted" }]);
    expect(calls.length).toBe(2);
  });

  test.each<readonly [string, Asked, number]>([
    ["what no person may call", { path: "/svc.v1.JoinService/Join" }, 404],
    ["what only begins like a call", { path: `${path}/more` }, 404],
    ["a call with a query", { path: `${path}?x=1` }, 404],
    ["another verb", { method: "PUT" }, 405],
    ["another language", { headers: { "content-type": "application/grpc" } }, 415],
    ["headers that are too long", { headers: { dpop: "x".repeat(4097) } }, 431],
  ])("is not handed on: %s", async (_title, asked, status) => {
    const { calls, port } = await relaying(async () => "{}");
    const heard = await ask(port, asked);
    expect([heard.status, Object.keys(JSON.parse(heard.text) as object)]).toEqual([status, ["code", "message"]]);
    expect(calls).toEqual([]);
  });

  test("is refused at once if auth is away, and is not told why", async () => {
    const { port } = await relaying(() => Promise.reject(new Error("10.0.0.1 refused the connection")));
    const heard = await ask(port, {});
    expect([heard.status, heard.headers["retry-after"]]).toEqual([503, "1"]);
    expect(JSON.parse(heard.text)).toEqual({ code: "unavailable", message: expect.not.stringContaining("10.0.0.1") });
  });

  test("is aborted if the caller gives up", async () => {
    const given = Promise.withResolvers<boolean>();
    const { port } = await relaying(async ({ signal }) => {
      signal.addEventListener("abort", () => given.resolve(true));
      return new Promise<string>(() => undefined);
    });
    const asking = httpRequest({
      port,
      host: "127.0.0.1",
      path,
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    asking.on("error", () => undefined);
    asking.end("{}");
    await sleep(200);
    asking.destroy();
    expect(await given.promise).toBe(true);
  });
});

test("one address has its share of what is handed on at once, and is told so beyond it", async () => {
  const gate = Promise.withResolvers<string>();
  const { calls, port } = await relaying(() => gate.promise);
  const asked = Array.from({ length: relayLimits.atOnceOfOne + 5 }, () => ask(port, {}));
  const refused: Heard[] = [];
  for (const one of asked) void one.then((heard) => refused.push(heard));
  while (refused.length < 5) await sleep(10);
  expect(refused.map(({ status, text }) => [status, (JSON.parse(text) as { readonly code: string }).code])).toEqual(
    Array.from({ length: 5 }, () => [503, "unavailable"]),
  );
  gate.resolve("{}");
  const all = await Promise.all(asked);
  expect(all.filter(({ status }) => status === 200).length).toBe(relayLimits.atOnceOfOne);
  expect(calls.length).toBe(relayLimits.atOnceOfOne);
  // And has it again once those are answered.
  expect((await ask(port, {})).status).toBe(200);
});

describe("places", () => {
  /** A relay of small limits, whose auth answers when a test likes. */
  async function crowded(
    limits: Partial<RelayLimits>,
    act: (port: number, auth: { readonly asked: () => number; readonly answer: () => void }) => Promise<void>,
  ): Promise<void> {
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const relay: Relay = {
      isForPeople: () => true,
      visit: () => Promise.reject(new Error("nobody visits")),
      post: async ({ signal }) => {
        asked += 1;
        const given = new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        await Promise.race([gate.promise, given]);
        return { status: 200, contentType: "application/json", retryAfter: undefined, date: undefined, body: Buffer.from("{}") };
      },
    };
    const answer = relayFor(relay, { meter: new Meter(), limits: { ...relayLimits, ...limits } });
    const http = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
    await once(http, "listening");
    await act((http.address() as AddressInfo).port, { asked: () => asked, answer: gate.resolve });
    http.close().closeAllConnections();
  }

  /** Sends so much of a body, and never its end. */
  function half(port: number, { body = "{", localAddress = "127.0.0.1" }: Asked): ClientRequest {
    const headers = { "content-type": "application/json", "content-length": String(relayLimits.bodyBytes) };
    const asking = httpRequest({ port, host: "127.0.0.1", path, method: "POST", localAddress, headers });
    asking.on("error", () => undefined).write(body);
    return asking;
  }

  test("are not taken by bodies that do not come to their end", async () => {
    await crowded({ atOnce: 2, atOnceOfOne: 2 }, async (port, auth) => {
      auth.answer();
      const slow = [1, 2, 3].map(() => half(port, {}));
      await Promise.all(slow.map((one) => once(one, "socket")));
      for (let asked = 0; asked < 3; asked += 1) expect((await ask(port, {})).status).toBe(200);
      for (const one of slow) one.destroy();
    });
  });

  test("for bodies go to the smaller ones when they run out", async () => {
    await crowded({ bytesAtOnce: 3000 }, async (port, auth) => {
      auth.answer();
      const large = half(port, { body: "x".repeat(2000), localAddress: "127.0.0.2" });
      const refused: unknown[] = [];
      large.once("response", ({ statusCode }) => refused.push(statusCode));
      while (refused.length === 0) expect((await ask(port, { body: "x".repeat(1500) })).status).toBe(200);
      expect(refused).toEqual([503]);
      expect((await ask(port, { body: "x".repeat(4000) })).status).toBe(503);
    });
  });
});

test("without a cluster there are no calls", async () => {
  server = await running(await loaded("{}"));
  expect((await ask(server.port, {})).status).toBe(404);
});

test("channels are answered while calls wait, and on the same connection after them", async () => {
  const gate = Promise.withResolvers<string>();
  const { port } = await relaying(() => gate.promise);
  const waiting = Array.from({ length: 10 }, () => ask(port, { body: "x".repeat(50_000) }));
  await sleep(100);
  const version = await fetch(`http://127.0.0.1:${port}/v1/webapi/automaticupgrades/channel/default/version`);
  expect(version.status).toBe(200);
  gate.resolve("{}");
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
});
