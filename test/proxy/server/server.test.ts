import { afterAll, afterEach, describe, expect, test } from "vitest";
import { connect } from "node:tls";
import { Agent, request as plainRequest } from "node:http";
import { request } from "node:https";
import type { LoadedConfiguration } from "../../../src/proxy/server/load.ts";
import { createAuthority, type Authority, type Pair } from "../../machine/network/fixture/authority.ts";
import { closedPort } from "../../machine/network/fixture/closed-port.ts";
import { serve, serveRaw, type Answering } from "../../machine/network/fixture/server.ts";
import { channelPath, loaded, running, type Started } from "./running.ts";
import { secure } from "./secure.ts";

const open: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()));
});

async function up(of: LoadedConfiguration): Promise<Started> {
  const server = await running(of);
  open.push({ close: server.stop });
  return server;
}

async function raw(...options: Parameters<typeof serveRaw>) {
  const server = await serveRaw(...options);
  open.push(server);
  return { asked: server.asked, url: `http://127.0.0.1:${server.port}` };
}

async function upstream(answer: Answering) {
  const server = await serve(answer);
  open.push(server);
  return { url: `http://127.0.0.1:${server.port}/one`, asked: server.asked, close: server.close };
}

const version =
  (text: string): Answering =>
  (path) => ({ status: 200, body: path.endsWith("/version") ? text : "no" });

async function textAt(server: Started, path: string): Promise<string> {
  return (await fetch(`${server.url}${path}`)).text();
}

/** The version of a channel, and whether it is critical. */
const bothAt = async (server: Started, channel: string): Promise<readonly string[]> =>
  Promise.all([textAt(server, channelPath(channel)), textAt(server, channelPath(channel, "critical"))]);

async function readyAt(server: Started): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${server.lookUrl}/readyz`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe("a forwarded channel", () => {
  test("is asked for once, however many wait for its first answer", async () => {
    const gate = Promise.withResolvers<void>();
    const slow = await raw((socket, head) => {
      const body = head.includes("/version") ? "v15.4.6" : "yes";
      void gate.promise.then(() =>
        socket.write(`HTTP/1.1 200 OK\r\nX-Svc-Version: v15.4.6\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
      );
    });
    const server = await up(await loaded(`{one: {forward_url: "${slow.url}"}}`));
    const answers = Array.from({ length: 50 }, () => textAt(server, channelPath("one")));
    await expect.poll(() => server.live.serving.connections.count).toBe(50);
    expect((await readyAt(server)).body).toMatchObject({ ready: false, upstreams: { one: "waiting" } });
    gate.resolve();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["v15.4.6\n"]));
    expect(await textAt(server, channelPath("one", "critical"))).toBe("yes\n");
    expect(slow.asked.length).toBe(2);
    expect(await readyAt(server)).toMatchObject({ status: 200, body: { ready: true, upstreams: { one: "fresh" } } });
  });

  test("whose upstream is down is 503 for itself alone", async () => {
    const server = await up(await loaded(`{one: {forward_url: "http://127.0.0.1:${closedPort}/one"}}`));
    const answer = await fetch(`${server.url}${channelPath("one")}`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await answer.json()).toMatchObject({ fault: { code: "upstream-unknown" } });
    expect(await textAt(server, channelPath("default"))).toBe("v15.4.6\n");
    expect(await readyAt(server)).toMatchObject({ status: 200, body: { upstreams: { one: "failing" } } });
  });

  test("passes on that its version is `none`", async () => {
    const paused = await upstream(version("none"));
    const server = await up(await loaded(`{one: {forward_url: "${paused.url}"}}`));
    expect(await bothAt(server, "one")).toEqual(["none\n", "no\n"]);
    expect(paused.asked).toEqual(["/one/version"]);
  });

  test("of another instance is served as that one serves it", async () => {
    const first = await up(await loaded("{stable/cloud: {static_version: v15.4.7, critical: yes}}"));
    const second = await up(
      await loaded(`{mine: {forward_url: "${first.url}${channelPath("stable/cloud").replace("/version", "")}"}}`),
    );
    expect(await bothAt(second, "mine")).toEqual(["v15.4.7\n", "yes\n"]);
  });
});

describe("a reload", () => {
  test("serves other channels and another digest from one answer to the next, and keeps what upstreams said", async () => {
    const source = await upstream(version("v15.4.7"));
    const server = await up(await loaded(`{one: {forward_url: "${source.url}"}, two: {static_version: 1.1.1}}`));
    expect(await textAt(server, channelPath("one"))).toBe("v15.4.7\n");
    const before = server.live.serving.answers.digest;
    await source.close();
    const next = await loaded(`{one: {forward_url: "${source.url}"}, three: {static_version: 3.3.3}}`);
    expect(() => server.reload(next)).toThrow("the channel two would vanish");
    expect((await fetch(`${server.url}${channelPath("two")}`)).status).toBe(200);
    server.reload(next);
    expect(await textAt(server, channelPath("one"))).toBe("v15.4.7\n");
    expect(await textAt(server, channelPath("three"))).toBe("v3.3.3\n");
    expect((await fetch(`${server.url}${channelPath("two")}`)).status).toBe(404);
    expect((await fetch(`${server.url}/webapi/ping`)).headers.get("x-svc-channels")).not.toBe(before);
  });

  test("answers also requests that wait for a removed upstream", async () => {
    const silent = await raw(() => undefined);
    const server = await up(await loaded(`{one: {forward_url: "${silent.url}"}, two: {forward_url: "${silent.url}"}}`));
    const waiting = [
      textAt(server, channelPath("one")),
      fetch(`${server.url}${channelPath("two")}`).then(({ status }) => status),
    ];
    await expect.poll(() => server.live.serving.connections.count).toBe(2);
    const next = await loaded("{one: {static_version: 2.2.2}}");
    expect(() => server.reload(next)).toThrow("the channel two would vanish");
    server.reload(next);
    expect(await Promise.all(waiting)).toEqual(["v2.2.2\n", 404]);
  });

  test("that would need another listener is refused, and changes nothing", async () => {
    const server = await up(await loaded("{one: {static_version: 1.1.1}}"));
    const other = await loaded("{one: {static_version: 2.2.2}}");
    const moved = { ...other.configuration, listen: { host: "127.0.0.2", port: 1 }, diagnostics: { host: "127.0.0.2", port: 2 } };
    expect(() => server.reload({ ...other, configuration: moved })).toThrow(
      "a reload cannot change web_listen_addr and diag_addr",
    );
    expect(await textAt(server, channelPath("one"))).toBe("v1.1.1\n");
  });

  test("loses nothing of what is asked meanwhile", async () => {
    const server = await up(await loaded("{one: {static_version: 1.1.1}}"));
    const next = await Promise.all(
      ["2.2.2", "3.3.3", "4.4.4", "5.5.5", "6.6.6"].map((text) => loaded(`{one: {static_version: ${text}}}`)),
    );
    const seen = new Set<string>();
    for (const of of next) {
      const answers = Array.from({ length: 20 }, () => textAt(server, channelPath("one")));
      server.reload(of);
      for (const answer of await Promise.all(answers)) seen.add(answer);
    }
    for (const answer of seen) expect(answer).toMatch(/^v(\d)\.\1\.\1\n$/);
    expect(await textAt(server, channelPath("one"))).toBe("v6.6.6\n");
  });
});

describe("over TLS", () => {
  const authority: Authority = createAuthority("own authority");
  afterAll(() => authority.remove());
  const issue = (name: string): Pair => authority.issue({ name, altName: `DNS:${name}` });
  const [one, two, three] = [issue("one.example"), issue("two.example"), issue("three.example")];

  /** Whose certificate is shown to whoever names this host. */
  function shownTo(server: Started, servername: string | undefined): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const socket = connect(
        { port: server.port, host: "127.0.0.1", rejectUnauthorized: false, ...(servername === undefined ? {} : { servername }) },
        () => {
          resolve(socket.getPeerCertificate().subject.CN as string);
          socket.destroy();
        },
      );
      socket.on("error", reject);
    });
  }

  test("each name is shown its certificate, and any other the first, also after a reload", async () => {
    const server = await up(await secure("{}", one, two));
    const names = [undefined, "one.example", "two.example", "else.example"];
    const shown = () => Promise.all(names.map((name) => shownTo(server, name)));
    expect(await shown()).toEqual(["one.example", "one.example", "two.example", "one.example"]);
    server.reload(await secure("{}", three, two));
    expect(await shown()).toEqual(["three.example", "three.example", "two.example", "three.example"]);
  });

  test("a question is answered", async () => {
    const server = await up(await secure("{one: {static_version: 1.1.1}}", one));
    const body = await new Promise<string>((resolve, reject) => {
      const asked = request(
        { port: server.port, host: "127.0.0.1", servername: "one.example", ca: authority.pem, path: channelPath("one") },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          answer.on("end", () => resolve(text));
        },
      );
      asked.on("error", reject).end();
    });
    expect(body).toBe("v1.1.1\n");
  });

  test("a reload does not leave it", async () => {
    const server = await up(await secure("{}", one));
    const plain = await loaded("{}");
    expect(() => server.reload(plain)).toThrow("a reload cannot change whether there are https_keypairs");
  });
});

describe("stopping", () => {
  test("lets what is under way come to its end, answers others meanwhile, and then takes nothing more", async () => {
    const gate = Promise.withResolvers<void>();
    const slow = await raw((socket) => {
      void gate.promise.then(() => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnone"));
    });
    const server = await running(await loaded(`{one: {forward_url: "${slow.url}"}}`), { drainMs: 60_000 });
    const waiting = fetch(`${server.url}${channelPath("one")}`);
    await expect.poll(() => server.live.serving.connections.count).toBe(1);
    const stopped = server.stop();
    expect((await readyAt(server)).body).toMatchObject({ ready: false, mood: "draining" });
    const another = await fetch(`${server.url}/webapi/ping`);
    expect([another.status, another.headers.get("connection")]).toEqual([200, "close"]);
    gate.resolve();
    const answer = await waiting;
    expect([await answer.text(), answer.headers.get("connection")]).toEqual(["none\n", "close"]);
    await stopped;
    await expect(fetch(`${server.url}/webapi/ping`)).rejects.toThrow("fetch failed");
    await expect(fetch(`${server.lookUrl}/healthz`)).rejects.toThrow("fetch failed");
  });

  test("lets a client that keeps its connection ask once more, and says that this was the last answer", async () => {
    const server = await running(await loaded("{}"), { drainMs: 60_000, lastWordMs: 30_000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        const asked = plainRequest(`${server.url}/webapi/ping`, { agent }, (answer) => {
          answer.resume().on("end", () => resolve(answer.headers.connection));
        });
        asked.on("error", reject).end();
      });
    expect(await ask()).toBe("keep-alive");
    const stopped = server.stop();
    expect(await ask()).toBe("close");
    await stopped;
    agent.destroy();
  });

  test("serves for a while if its readiness is watched, and says that it is not ready", async () => {
    const server = await running(await loaded("{}"), { graceMs: 3000 });
    expect((await readyAt(server)).status).toBe(200);
    const stopped = server.stop();
    expect((await readyAt(server)).status).toBe(503);
    const answer = await fetch(`${server.url}${channelPath("default")}`);
    expect([await answer.text(), answer.headers.get("connection")]).toEqual(["v15.4.6\n", "close"]);
    await stopped;
    await expect(fetch(`${server.url}/webapi/ping`)).rejects.toThrow("fetch failed");
    expect(server.lines.map(({ sentence }) => sentence)).toContainEqual(expect.stringMatching(/^it is no longer ready/));
  });

  test("does not wait if its readiness is not watched", async () => {
    const server = await running(await loaded("{}"), { graceMs: 86_400_000 });
    await server.stop();
    expect(server.lines).toEqual([]);
  });

  test("cuts requests that do not end", async () => {
    const silent = await raw(() => undefined);
    const server = await running(await loaded(`{one: {forward_url: "${silent.url}"}}`), { drainMs: 100 });
    const waiting = fetch(`${server.url}${channelPath("one")}`);
    await expect.poll(() => server.live.serving.connections.count).toBe(1);
    await Promise.all([expect(waiting).rejects.toThrow("fetch failed"), server.stop()]);
  });
});

test("an address that is taken is told with what to look at", async () => {
  const server = await up(await loaded("{}"));
  const of = await loaded("{}");
  const at = (changes: Partial<LoadedConfiguration["configuration"]>) =>
    running({ ...of, configuration: { ...of.configuration, ...changes } });
  const host = "127.0.0.1";
  const code = "os-failed";
  const hint = expect.stringMatching(/^`ss -ltnp/);
  await expect(at({ listen: { host, port: server.port } })).rejects.toMatchObject({ code, hint });
  const message = expect.stringMatching(/\(diag_addr\): address/);
  await expect(at({ diagnostics: { host, port: server.diagnosticsPort } })).rejects.toMatchObject({ code, message });
});

describe("the diagnostics", () => {
  test.each([
    ["/healthz", "GET", 200],
    ["/readyz?x", "GET", 200],
    ["/metrics", "HEAD", 200],
    ["/else", "GET", 404],
    ["/metrics", "POST", 405],
  ])("answer %s %s with %i", async (path, method, status) => {
    const server = await up(await loaded("{}"));
    expect((await fetch(`${server.lookUrl}${path}`, { method })).status).toBe(status);
    expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  });

  test("count what was answered, by channel and code", async () => {
    const source = await upstream(version("v15.4.7"));
    const server = await up(await loaded(`{one: {forward_url: "${source.url}"}}`));
    for (const path of ["/webapi/ping", channelPath("one"), channelPath("one"), channelPath("default"), "/", "/else"])
      await textAt(server, path);
    await fetch(`${server.url}${channelPath("one")}`, { headers: { "if-none-match": "*" } });
    const metrics = await (await fetch(`${server.lookUrl}/metrics`)).text();
    const samples = metrics.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const values = new Map(samples.map((line) => [line.replace(/ [^ ]+$/, ""), line.replace(/^.* /, "")] as const));
    const of = (channel: string, code: number): string | undefined =>
      values.get(`svc_proxy_requests_total{channel="${channel}",code="${code}"}`);
    expect([of("ping", 200), of("one", 200), of("one", 304), of("default", 200), of("", 404)]).toEqual(["1", "2", "1", "1", "2"]);
    expect(values.get("svc_proxy_request_duration_seconds_count")).toBe("7");
    expect(values.get('svc_proxy_request_duration_seconds_bucket{le="+Inf"}')).toBe("7");
    expect(values.get('svc_proxy_upstream_failures{channel="one"}')).toBe("0");
    expect(Number(values.get('svc_proxy_upstream_age_seconds{channel="one"}'))).toBeLessThan(60);
    expect([...values.keys()].some((key) => key.includes(`channels="${server.live.serving.answers.digest}"`))).toBe(true);
  });
});
