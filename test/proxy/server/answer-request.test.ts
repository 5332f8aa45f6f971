import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channelPath, loaded, raw, running, type Started } from "./running.ts";

let server: Started;
beforeAll(async () => {
  const channels = "{stable/cloud: {static_version: v15.4.7, critical: yes}, paused: {static_version: none}}";
  server = await running(await loaded(channels));
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

  test("to a client of HTTP/1.0, which is then let go", async () => {
    expect(await raw(server.port, `GET ${channelPath("default")} HTTP/1.0\r\n\r\n`)).toMatch(/\r\n\r\nv15\.4\.6\n$/);
  });
});

describe("a question is refused in JSON", () => {
  test.each([
    ["GET", "/", 404, "not-found"],
    ["GET", channelPath("nowhere"), 404, "channel-unknown"],
    ["GET", channelPath("Default"), 404, "channel-unknown"],
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
    ["without a Host", "", "host-invalid"],
    ["with two", "Host: a\r\nHost: a\r\n", "host-invalid"],
    ["with one that is none", "Host: a b/c\r\n", "host-invalid"],
    ["that expects something", "Host: a\r\nExpect: 100-continue\r\n", "expect-refused"],
  ])("%s with 400, with the headers of every answer", async (_how, headers, code) => {
    const answer = await raw(server.port, `GET ${channelPath("default")} HTTP/1.1\r\n${headers}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/json\r\n/);
    expect(answer).toContain(`x-svc-channels: ${server.live.serving.answers.digest}\r\n`);
    const [, body = ""] = answer.split("\r\n\r\n");
    expect(JSON.parse(body)).toMatchObject({ schema: 1, fault: { code } });
  });
});
