import { request as ask, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough, type Duplex } from "node:stream";
import { afterEach, describe, expect, test, vi } from "vitest";
import { shellsFor, type OpenedShell } from "../../../src/proxy/server/shells.ts";
import type { RelayedCall } from "../../../src/proxy/server/relay.ts";
import { splice } from "../../../src/cluster/tunnel/splice.ts";
import { listen, type Listening } from "../../../src/proxy/server/listen.ts";
import { Connections } from "../../../src/machine/listening/connections.ts";
import { limits } from "../../../src/proxy/server/limits.ts";

let listening: Listening | undefined;
afterEach(async () => {
  await listening?.drain();
  listening = undefined;
});

const connections = new Connections({ limits: { connections: 100 }, told: () => undefined });

async function serving(open: (call: RelayedCall) => Promise<OpenedShell>): Promise<number> {
  listening = await listen((request, response) => void response.end(`plain ${request.headers.upgrade ?? ""}`), {
    at: { host: "127.0.0.1", port: 0 },
    setting: "web_listen_addr",
    limits: { ...limits, drainMs: 200, lastWordMs: 0 },
    connections,
    tls: undefined,
    upgrades: shellsFor({ open }, splice),
  });
  return listening.port;
}

type Answer = { readonly status: number; readonly body: string; readonly stream: Duplex | undefined };

async function asked(port: number, headers: Record<string, string>, path = "/svc.v1.ShellService/OpenShell"): Promise<Answer> {
  const request = ask({ port, host: "127.0.0.1", path, headers: { connection: "Upgrade", ...headers } });
  request.end();
  return await new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("upgrade", ({ statusCode = 0 }: IncomingMessage, stream) => resolve({ status: statusCode, body: "", stream }));
    request.once("response", (response) => {
      let body = "";
      response
        .on("data", (text) => (body += text))
        .on("end", () => resolve({ status: response.statusCode ?? 0, body, stream: undefined }));
    });
  });
}

const upgrade = { upgrade: "svc-shell", "svc-call": Buffer.from('{"host":"web1"}').toString("base64url") };

describe("a person's request for a shell", () => {
  test("becomes a stream once auth allows it, with the person's own proof, and is counted no longer as a connection", async () => {
    const calls: RelayedCall[] = [];
    const port = await serving((call) => {
      calls.push(call);
      return Promise.resolve({ kind: "open", stream: new PassThrough() });
    });
    const { status, stream } = await asked(port, { ...upgrade, dpop: "a-proof", authorization: "DPoP x", cookie: "no" });
    expect(status).toBe(101);
    stream?.write("to and fro");
    const [back] = (await once(stream!, "data")) as [Buffer];
    expect(back.toString()).toBe("to and fro");
    expect(calls).toMatchObject([
      { path: "/svc.v1.ShellService/OpenShell", headers: { dpop: "a-proof", "svc-client-address": "127.0.0.1" } },
    ]);
    expect(Object.keys(calls[0]?.headers ?? {})).toEqual(["authorization", "dpop", "svc-client-address"]);
    expect(Buffer.from(calls[0]?.body ?? []).toString()).toBe('{"host":"web1"}');
    expect(connections.count).toBe(0);
    stream?.destroy();
  });

  test("is refused in auth's words and with its time", async () => {
    const body = Buffer.from('{"code":"permission_denied","message":"no"}');
    const port = await serving(() =>
      Promise.resolve({ kind: "refused", status: 403, date: "Fri, 15 Jan 2027 08:00:00 GMT", body }),
    );
    expect(await asked(port, upgrade)).toEqual({ status: 403, body: body.toString(), stream: undefined });
  });

  test.each([
    [{ upgrade: "svc-shell" }, 400, "has no call of a person"],
    [{ upgrade: "svc-shell", "svc-call": "x".repeat(5000) }, 400, "has no call of a person"],
    [upgrade, 503, "cannot reach the cluster's auth service"],
  ])("with %o is refused with %d", async (headers, status, says) => {
    const port = await serving(() => Promise.reject(new Error("auth is away")));
    const answer = await asked(port, headers);
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(says)]);
  });

  test("that was refused holds no place, although the stranger keeps their own end open", async () => {
    const port = await serving(() => Promise.reject(new Error("not asked")));
    const stranger = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const lines = ["GET /svc.v1.ShellService/OpenShell HTTP/1.1", "Host: x", "Connection: Upgrade", "Upgrade: svc-shell"];
    stranger.write(`${lines.join("\r\n")}\r\n\r\n`);
    stranger.resume();
    await once(stranger, "end");
    const open = (): Promise<number> =>
      new Promise((resolve) => void listening?.server.getConnections((_error, count) => resolve(count)));
    expect(await open()).toBe(1);
    await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 4000 });
    stranger.destroy();
  });

  test("of another kind is answered as if nothing was asked for", async () => {
    const port = await serving(() => Promise.reject(new Error("not asked")));
    expect(await asked(port, { upgrade: "h2c", "http2-settings": "" })).toMatchObject({ status: 200, body: "plain h2c" });
    expect(await asked(port, { upgrade: "svc-shell" }, "/webapi/ping")).toMatchObject({ status: 200, body: "plain svc-shell" });
  });
});
