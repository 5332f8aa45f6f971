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
    [`${channelPath("default")}?cache=no`, "text/plain; charset=utf-8", /^v15\.4\.6\n$/],
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
    ["POST", channelPath("default"), 405, "method-not-allowed"],
    ["DELETE", "/webapi/ping", 405, "method-not-allowed"],
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

  test("with the headers of every answer, where the head is wrong", async () => {
    const answer = await raw(server.port, `GET ${channelPath("default")} HTTP/1.1\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/json\r\n/);
    expect(answer).toContain(`x-svc-channels: ${server.live.serving.answers.digest}\r\n`);
  });
});
