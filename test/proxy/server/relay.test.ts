import { request as httpRequest, Agent, type IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { relayLimits, type Relay, type RelayedCall } from "../../../src/proxy/server/relay.ts";
import { loaded, running, type Started } from "./running.ts";

type Heard = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };
type Asked = {
  readonly path?: string;
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
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
  { path: asked = path, method = "POST", body = "{}", headers = {} }: Asked,
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
  test("is handed on with what proves it and where it comes from, and nothing else of it", async () => {
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

  test("whose auth is away is answered at once, without a word of why", async () => {
    const { port } = await relaying(() => Promise.reject(new Error("10.0.0.1 refused the connection")));
    const heard = await ask(port, {});
    expect([heard.status, heard.headers["retry-after"]]).toEqual([503, "1"]);
    expect(JSON.parse(heard.text)).toEqual({ code: "unavailable", message: expect.not.stringContaining("10.0.0.1") });
  });

  test("that is given up by the caller is given up", async () => {
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
