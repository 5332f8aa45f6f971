import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channelPath, loaded, raw, running, type Started } from "./running.ts";

let server: Started;
beforeAll(async () => {
  const channels = "{stable/cloud: {static_version: v15.4.7, critical: yes}, paused: {static_version: none}}";
  server = await running(await loaded(channels), { headersMs: 300, requestMs: 600, lookEveryMs: 50 });
});
afterAll(() => server.stop());

const get = (path: string, init?: RequestInit): Promise<Response> => fetch(`${server.url}${path}`, init);

describe("a question is answered", () => {
  test.each([
    ["/webapi/ping", "application/json", /^\{"proxy":\{"kube":/],
    [channelPath("default"), "text/plain; charset=utf-8", /^v15\.4\.6\n$/],
    [channelPath("stable/cloud"), "text/plain; charset=utf-8", /^v15\.4\.7\n$/],
    [channelPath("stable/cloud", "critical"), "text/plain; charset=utf-8", /^yes\n$/],
    [channelPath("paused"), "text/plain; charset=utf-8", /^none\n$/],
    [channelPath("paused", "critical"), "text/plain; charset=utf-8", /^no\n$/],
    [channelPath("default").slice("/v1".length), "text/plain; charset=utf-8", /^v15\.4\.6\n$/],
    [`${channelPath("default")}?cache=no`, "text/plain; charset=utf-8", /^v15\.4\.6\n$/],
    [channelPath("%73table/cloud"), "text/plain; charset=utf-8", /^v15\.4\.7\n$/],
  ])("%s as %s", async (path, type, body) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=60");
    expect(answer.headers.get("x-svc-channels")).toMatch(/^[0-9a-f]{64}$/);
    expect(await answer.text()).toMatch(body);
  });

  test.each(["/webapi/ping", channelPath("default")])("%s to HEAD without its body", async (path) => {
    const whole = await get(path);
    const head = await get(path, { method: "HEAD" });
    expect(head.status).toBe(200);
    for (const name of ["content-length", "content-type", "etag", "cache-control"]) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
    expect(await head.text()).toBe("");
  });

  test.each(["/webapi/ping", channelPath("default")])("%s with 304 to whoever has it", async (path) => {
    const etag = (await get(path)).headers.get("etag")!;
    const again = await get(path, { headers: { "if-none-match": `"other", W/${etag}` } });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await get(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("in the absolute form that proxies may send", async () => {
    const asked = `GET http://proxy.example.com${channelPath("default")} HTTP/1.1\r\nHost: proxy.example.com\r\nConnection: close\r\n\r\n`;
    expect(await raw(server.port, asked)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nv15\.4\.6\n$/);
  });

  test("to a client of HTTP/1.0, which is then let go", async () => {
    expect(await raw(server.port, `GET ${channelPath("default")} HTTP/1.0\r\n\r\n`)).toMatch(/\r\n\r\nv15\.4\.6\n$/);
  });

  test("as often as it is asked on one connection, in order", async () => {
    const asked = ["default", "nowhere", "stable/cloud"].map((name) => `GET ${channelPath(name)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const heard = await raw(server.port, asked.join(""), 3);
    expect(heard.match(/^HTTP\/1\.1 \d+/gm)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200"]);
    expect(heard).toMatch(/v15\.4\.6\n[^]*v15\.4\.7\n$/);
  });
});

describe("a question is refused in JSON", () => {
  test.each([
    ["GET", "/", 404, "not-found"],
    ["GET", channelPath("nowhere"), 404, "channel-unknown"],
    ["GET", channelPath("Default"), 404, "channel-unknown"],
    ["GET", channelPath("stable%2Fcloud"), 404, "not-found"],
    ["GET", channelPath("a%00b"), 400, "target-invalid"],
    ["GET", channelPath("a".repeat(2000)), 414, "target-too-long"],
    ["POST", channelPath("default"), 405, "method-not-allowed"],
    ["DELETE", "/webapi/ping", 405, "method-not-allowed"],
    ["POST", "/nowhere", 404, "not-found"],
  ])("%s %s with %i", async (method, path, status, code) => {
    const answer = await get(path, { method });
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
      status,
      "application/json",
      "no-store",
    ]);
    expect(await answer.json()).toEqual({ schema: 1, fault: { code, message: expect.any(String), hint: expect.any(String) } });
    expect(answer.headers.get("allow")).toBe(status === 405 ? "GET, HEAD" : null);
  });

  test.each([
    ["dots that lead elsewhere", `GET ${channelPath("../../ping")} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 404],
    ["a NUL in the target", "GET /webapi/pi\0ng HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400],
    ["no Host", "GET /webapi/ping HTTP/1.1\r\n\r\n", 400],
    ["two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", 400],
    [
      "a length beside chunks",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["headers without end", `GET /webapi/ping HTTP/1.1\r\nHost: a\r\nCookie: ${"a".repeat(9000)}\r\n\r\n`, 431],
    ["headers that come too slowly", "GET /webapi/ping HTTP/1.1\r\nHost: a\r\n", 408],
    ["a body that never comes", `POST ${channelPath("default")} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx`, 405],
    ["a tunnel", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", 405],
    ["all of the server", "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 404],
  ])("where it has %s, and the connection is closed", async (_title, bytes, status) => {
    expect(await raw(server.port, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*Connection: close\\r\\n`));
  });

  test("where nothing comes at all, and the connection is closed", async () => {
    expect(await raw(server.port, "")).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("and the server goes on", async () => {
    expect((await get("/webapi/ping")).status).toBe(200);
  });
});

describe("a server with as many connections as it may have", () => {
  test("answers 503 to one more, and is well again when they are gone", async () => {
    const crowded = await running(await loaded("{}"), { connections: 2, mostConnections: 4 });
    const open = [1, 2].map(() => connect(crowded.port, "127.0.0.1"));
    await expect.poll(() => crowded.live.serving.connections, { timeout: 20_000 }).toBe(2);
    const asked = `GET ${channelPath("default")} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const refused = await raw(crowded.port, asked);
    expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 60\r\n[^]*Connection: close\r\n[^]*too-many-connections/);
    for (const socket of open) socket.destroy();
    await expect.poll(() => crowded.live.serving.connections, { timeout: 20_000 }).toBe(0);
    expect(await raw(crowded.port, asked, 1)).toMatch(/^HTTP\/1\.1 200 /);
    await crowded.stop();
  });
});
