import type { Duplex } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askChannel } from "../../../src/machine/network/ask-channel.ts";
import type { Route } from "../../../src/rules/route/route.ts";
import { createAuthority, type Authority, type Pair } from "./fixture/authority.ts";
import { fakePorts, questionFor } from "./fixture/ports.ts";
import { startProxy, type ProxyOptions } from "./fixture/proxy.ts";
import { serve } from "./fixture/server.ts";

let authority: Authority;
let serverPair: Pair;
let proxyPair: Pair;
beforeAll(() => {
  authority = createAuthority("Private Authority");
  serverPair = authority.issue({ name: "server", altName: "DNS:version.invalid" });
  proxyPair = authority.issue({ name: "proxy", altName: "IP:127.0.0.1" });
});
afterAll(() => authority.remove());

type Asked = { readonly answer: unknown; readonly sent: number; readonly connections: number };

/** Asks an https server through a proxy that answers CONNECT in its own way. */
async function askThrough(options: Pick<ProxyOptions, "tls" | "instead">): Promise<Asked> {
  const server = await serve((path) => ({ status: 200, body: path.endsWith("/version") ? "v15.4.6" : "no" }), serverPair);
  let sent = 0;
  const { instead } = options;
  const proxy = await startProxy({
    names: { "version.invalid": server.port },
    ...options,
    ...(instead === undefined
      ? {}
      : {
          instead: (socket) => {
            socket.on("close", () => (sent += (socket as Duplex & { bytesWritten: number }).bytesWritten));
            instead(socket);
          },
        }),
  });
  const route: Route = { kind: "proxy", proxy: proxy.proxy, rule: "HTTPS_PROXY" };
  try {
    const question = questionFor("https://version.invalid", { caFile: authority.file });
    const answer = await askChannel(question, fakePorts({ routeOf: () => route, systemStores: [] }));
    await expect.poll(() => proxy.openSockets()).toBe(0);
    return { answer, sent, connections: proxy.log.length };
  } finally {
    await Promise.all([proxy.close(), server.close()]);
  }
}

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

const tenMegabytes = 10 * 1024 * 1024;

describe.each(["http", "https"] as const)("an %s proxy whose answer to CONNECT has no end", (scheme) => {
  test("is refused at once, once, and before it has cost memory", async () => {
    const tls = scheme === "https" ? { tls: proxyPair } : {};
    const before = process.memoryUsage().rss;
    const { answer, sent, connections } = await askThrough({ ...tls, instead: flood });
    expect(answer).toMatchObject({
      kind: "fault",
      fault: {
        code: "proxy-refused",
        message: expect.stringMatching(new RegExp(`address ${scheme}://127\\.0\\.0\\.1:\\d+ .*more than 16 KiB of headers$`)),
      },
    });
    expect(connections).toBe(1);
    expect(sent).toBeGreaterThan(16 * 1024);
    expect(sent).toBeLessThan(10 * tenMegabytes);
    expect(process.memoryUsage().rss - before).toBeLessThan(20 * tenMegabytes);
  });

  test("is no other than one that lets us through in the end, for as long as it says little", async () => {
    const tls = scheme === "https" ? { tls: proxyPair } : {};
    const { answer } = await askThrough(tls);
    expect(answer).toMatchObject({ kind: "served", served: { version: "15.4.6" } });
  });
});

test("a refusal with long headers and a longer page is still read as what it is", async () => {
  const { answer } = await askThrough({
    instead: (socket) => {
      socket.end(`HTTP/1.1 403 Not Here\r\nx-why: ${"a".repeat(12_000)}\r\n\r\n${"<p>no</p>".repeat(10_000)}`);
    },
  });
  expect(answer).toMatchObject({ fault: { code: "proxy-refused", message: expect.stringMatching(/with 403 Not Here/) } });
});

test("a proxy that cannot be reached by TLS says why, as by plain http", async () => {
  const proxy = { scheme: "https", host: "127.0.0.1", port: 9, credentials: undefined } as const;
  const answer = await askChannel(
    questionFor("https://version.invalid", { caFile: authority.file }),
    fakePorts({ routeOf: () => ({ kind: "proxy", proxy, rule: "HTTPS_PROXY" }), systemStores: [] }),
  );
  expect(answer).toMatchObject({
    fault: { code: "proxy-unreachable", message: expect.stringMatching(/https:\/\/127\.0\.0\.1:9 .*the connection is refused/) },
  });
});
