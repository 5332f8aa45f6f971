import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { request, type RequestOptions } from "../../../src/machine/network/request.ts";
import { hangingPort } from "./fixture/hanging.ts";
import { direct } from "./fixture/ports.ts";
import { startProxy } from "./fixture/proxy.ts";
import { serve, serveRaw, serveSilence, type Running } from "./fixture/server.ts";
import { started } from "./fixture/started.ts";

const plain: RequestOptions = {
  routeOf: () => direct,
  trust: () => {
    throw new Error("plain http needs no trust");
  },
  plainHttp: "loopback-only",
};

const get = (url: string, changes: Partial<RequestOptions> = {}): ReturnType<typeof request> =>
  request({ url, longestBody: 1024 }, { ...plain, ...changes });

async function textAt(url: string): Promise<string> {
  const { body } = await get(url);
  return body.kind === "encoded" ? body.encoding : new TextDecoder().decode(body.bytes);
}

describe("request follows redirects", () => {
  const hops = (most: number): Promise<Running> =>
    serve((path) => {
      const hop = Number(path.slice(1));
      return hop < most
        ? { status: 302, headers: { location: `/${hop + 1}` }, body: "elsewhere" }
        : { status: 200, body: `hop ${hop}` };
    });

  it("three times", async () => {
    const server = await started(hops(3));
    expect(await textAt(`http://127.0.0.1:${server.port}/0`)).toBe("hop 3");
  });

  it.each([
    ["a fourth time", 4],
    ["in a loop", Number.POSITIVE_INFINITY],
  ])("never %s", async (_title, most) => {
    const server = await started(hops(most));
    await expect(get(`http://127.0.0.1:${server.port}/0`)).rejects.toMatchObject({ code: "redirect-refused" });
    expect(server.asked).toEqual(["/0", "/1", "/2", "/3"]);
  });

  it("with a route for every hop", async () => {
    const last = await started(serve(() => ({ status: 200, body: "here" })));
    const first = await started(serve(() => ({ status: 307, headers: { location: `http://localhost:${last.port}/there` } })));
    const routed: string[] = [];
    const routeOf: RequestOptions["routeOf"] = (url) => {
      routed.push(url);
      return direct;
    };
    const response = await get(`http://127.0.0.1:${first.port}/here`, { routeOf });
    expect(response.url.href).toBe(`http://localhost:${last.port}/there`);
    expect(routed).toEqual([`http://127.0.0.1:${first.port}/here`, `http://localhost:${last.port}/there`]);
  });

  it("never from this host to another one by plain http", async () => {
    const server = await started(serve(() => ({ status: 302, headers: { location: "http://10.0.0.1/version" } })));
    await expect(get(`http://127.0.0.1:${server.port}/`)).rejects.toMatchObject({
      code: "redirect-refused",
      message: expect.stringMatching(/plain http on another host, 10\.0\.0\.1/),
    });
  });

  it("never from an answer that has what was asked for", async () => {
    const server = await started(serve(() => ({ status: 200, headers: { location: "/elsewhere" }, body: "here" })));
    expect(await textAt(`http://127.0.0.1:${server.port}/`)).toBe("here");
  });

  it("without reading what stands beside them", async () => {
    const server = await started(
      serveRaw((socket, head) =>
        head.startsWith("GET /here")
          ? socket.end("HTTP/1.1 200 OK\r\n\r\nhere")
          : socket.write("HTTP/1.1 302 Found\r\nlocation: /here\r\ncontent-length: 1000\r\n\r\nnever complete"),
      ),
    );
    expect(await textAt(`http://127.0.0.1:${server.port}/`)).toBe("here");
  });
});

describe("request asks plainly", () => {
  it("for text, without compression, on a connection of its own", async () => {
    let seen = "";
    const server = await started(
      serveRaw((socket, head) => {
        seen = head;
        socket.end("HTTP/1.1 200 OK\r\n\r\nok");
      }),
    );
    await get(`http://127.0.0.1:${server.port}/a/b`);
    expect(seen.split("\r\n").toSorted()).toEqual(
      [
        "",
        "",
        "GET /a/b HTTP/1.1",
        `Host: 127.0.0.1:${server.port}`,
        "Connection: close",
        "accept: text/plain",
        "accept-encoding: identity",
        "user-agent: svc-upgrade",
      ].toSorted(),
    );
  });

  it("over IPv6 alone", async () => {
    const server = createServer((_question, answer) => void answer.end("six"));
    await new Promise<void>((resolve) => server.listen(0, "::1", resolve));
    onTestFinished(async () => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await textAt(`http://[::1]:${port}/`)).toBe("six");
    const { status } = await get(`http://six.localhost:${port}/`, {
      lookup: (_name, _options, done) => done(null, [{ address: "::1", family: 6 }]),
    });
    expect(status).toBe(200);
  });

  it("and leaves no connection behind, whatever came back", async () => {
    const server = await started(
      serveRaw((socket, head) =>
        socket.write(
          head.startsWith("GET /endless")
            ? `HTTP/1.1 200 OK\r\n\r\n${"x".repeat(5000)}`
            : "HTTP/1.1 302 Found\r\nlocation: /endless\r\n\r\n",
        ),
      ),
    );
    expect((await get(`http://127.0.0.1:${server.port}/`)).body.kind).toBe("cut");
    await expect.poll(() => server.openSockets()).toBe(0);
  });
});

describe("request gives up", () => {
  it("where a connection hangs", async () => {
    const { port } = await started(hangingPort());
    await expect(get(`http://127.0.0.1:${port}/`, { connectMs: 100 })).rejects.toMatchObject({
      code: "channel-unreachable",
      message: expect.stringMatching(/127\.0\.0\.1:\d+ has not accepted the connection after 1 s/),
    });
  });

  it("where a name server hangs", async () => {
    await expect(get("http://name.localhost/", { connectMs: 20, lookup: () => undefined })).rejects.toMatchObject({
      code: "channel-unreachable",
    });
  });

  it("on the whole, however many redirects share the time", async () => {
    const server = await started(
      serveRaw(
        (socket, head) =>
          void (head.startsWith("GET /silent") ? socket : socket.end("HTTP/1.1 302 Found\r\nlocation: /silent\r\n\r\n")),
      ),
    );
    await expect(get(`http://127.0.0.1:${server.port}/`, { wholeMs: 300 })).rejects.toMatchObject({
      code: "channel-unreachable",
    });
    await expect.poll(() => server.openSockets()).toBe(0);
  });

  it("at once when it is told to before it begins", async () => {
    const server = await started(serveSilence());
    await expect(get(`http://127.0.0.1:${server.port}/`, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "stopping",
    });
  });

  it("when it is told to while it waits", async () => {
    const stopping = new AbortController();
    const server = await started(serveRaw(() => stopping.abort()));
    await expect(get(`http://127.0.0.1:${server.port}/`, { signal: stopping.signal })).rejects.toMatchObject({
      code: "stopping",
    });
    await expect.poll(() => server.openSockets()).toBe(0);
  });
});

describe("request is deaf to the environment", () => {
  it("goes directly where the route is direct, whatever proxies Node has been told of", async () => {
    const proxy = await started(startProxy({ names: {} }));
    const server = await started(serve(() => ({ status: 200, body: "15.4.6" })));
    const script = `
      import { request } from ${JSON.stringify(new URL("../../../src/machine/network/request.ts", import.meta.url).href)};
      const { body } = await request(
        { url: "http://localhost:${server.port}/", longestBody: 10 },
        { routeOf: () => ({ kind: "direct", rule: "" }), plainHttp: "loopback-only" },
      );
      console.log(body.bytes.toString());
    `;
    const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: `http://127.0.0.1:${proxy.proxy.port}` };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
    expect(stdout).toBe("15.4.6\n");
    expect(proxy.log).toEqual([]);
  });
});

describe("the quiet path", () => {
  it("loads neither TLS nor a proxy agent for plain http", async () => {
    const server = await started(serve(() => ({ status: 200, body: "15.4.6" })));
    const script = `
      import { askChannel } from ${JSON.stringify(new URL("../../../src/machine/network/ask-channel.ts", import.meta.url).href)};
      const answer = await askChannel(
        { endpoint: "http://127.0.0.1:${server.port}", channel: "default", installed: Promise.resolve("15.4.6") },
        { routeOf: () => ({ kind: "direct", rule: "" }), monotonicMs: () => 0, random: () => 0, log: () => undefined },
      );
      const loaded = process.moduleLoadList.filter((name) => /NativeModule (https|tls|_tls_wrap|_tls_common|crypto|http2|child_process|dns\\/promises)$/.test(name));
      console.log(JSON.stringify({ kind: answer.kind, loaded }));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env: {} });
    expect(JSON.parse(stdout)).toEqual({ kind: "served", loaded: [] });
  });
});
