import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, get } from "node:https";
import { connect as connectTcp, createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, createServer, type ConnectionOptions, type Server, type TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Meter } from "../../../src/proxy/server/meter.ts";
import { passingLimits, passOnTo, type Auth } from "../../../src/proxy/server/pass-on.ts";
import type { Limits } from "../../../src/proxy/server/limits.ts";
import { createAuthority } from "../../machine/network/fixture/authority.ts";
import { channelPath, running, type Started } from "./running.ts";
import { secure } from "./secure.ts";

const authority = createAuthority("one");
const trusted = readFileSync(authority.file, "utf8");
const own = authority.issue({ name: "proxy.example.com", altName: "DNS:proxy.example.com" });
const asked = "auth.example.internal";
const ofAuth = authority.issue({ name: asked, altName: `DNS:${asked}` });

/** In the place of auth: says back what it is told. */
let auth: Server;
const come: TLSSocket[] = [];
beforeAll(async () => {
  auth = createServer({ key: ofAuth.key, cert: ofAuth.cert, minVersion: "TLSv1.2" }, (socket) => {
    come.push(socket);
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  auth.listen({ port: 0, host: "127.0.0.1" });
  await once(auth, "listening");
});
afterAll(() => {
  auth.close();
  authority.remove();
});

/** However it ends. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

const portOf = (server: { readonly address: () => unknown }): number => (server.address() as AddressInfo).port;

function authAt(port: number): Auth {
  return {
    isAskedFor: (name) => name === asked,
    connect: async () => {
      const socket = connectTcp(port, "127.0.0.1");
      await once(socket, "connect");
      return socket;
    },
  };
}

let server: Started;
afterEach(async () => {
  await server.stop();
  come.length = 0;
});

async function serve(changes: Partial<Limits> = {}, through: Auth = authAt(portOf(auth))): Promise<void> {
  server = await running(await secure("{}", own), changes, { auth: through });
}

type Asking = ConnectionOptions & { readonly servername: string };

async function handshake(options: Asking): Promise<TLSSocket> {
  const socket = connect({ port: server.port, host: "127.0.0.1", ca: trusted, ...options });
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  return socket;
}

/** Sends a hello in pieces of so many bytes, each by itself. */
async function handshakeInPieces(options: Asking, size: number): Promise<TLSSocket> {
  const between = createTcpServer((client) => {
    const onward = connectTcp({ port: server.port, host: "127.0.0.1", noDelay: true });
    client.once("data", (hello: Buffer) => {
      void (async () => {
        for (let at = 0; at < hello.length; at += size) {
          onward.write(hello.subarray(at, at + size));
          await sleep(1);
        }
        client.pipe(onward).pipe(client);
      })();
    });
    for (const socket of [client, onward]) socket.on("error", () => undefined);
  });
  between.listen({ port: 0, host: "127.0.0.1" });
  await once(between, "listening");
  const socket = await handshake({ ...options, port: portOf(between) });
  between.close();
  return socket;
}

async function saidBack(socket: TLSSocket, text: string): Promise<string> {
  let heard = "";
  socket.setEncoding("latin1").on("data", (piece: string) => (heard += piece));
  socket.write(text, "latin1");
  while (heard.length < text.length) await once(socket, "data");
  return heard;
}

type Answered = { readonly status: number | undefined; readonly resumed: boolean };

function askOwn(agent: Agent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const options = { port: server.port, host: "127.0.0.1", servername: "proxy.example.com", ca: trusted, agent };
    get({ ...options, path: channelPath("default") }, (answer) => {
      const resumed = (answer.socket as TLSSocket).isSessionReused();
      answer.resume().on("end", () => resolve({ status: answer.statusCode, resumed }));
    }).on("error", reject);
  });
}

describe("one port", () => {
  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "passes what asks for auth on unread, and answers all else itself: %s",
    async (version) => {
      await serve();
      const versions = { minVersion: version, maxVersion: version } as const;
      const passed = await handshake({ servername: asked, ...versions });
      expect(passed.getPeerCertificate().subjectaltname).toBe(`DNS:${asked}`);
      const long = "x".repeat(2_000_000);
      expect(await saidBack(passed, long)).toBe(long);
      const mine = await handshake({ servername: "proxy.example.com", ...versions });
      expect(mine.getPeerCertificate().subjectaltname).toBe("DNS:proxy.example.com");
      mine.destroy();
      const nameless = await handshake({ servername: "", checkServerIdentity: () => undefined, ...versions });
      expect(nameless.getPeerCertificate().subjectaltname).toBe("DNS:proxy.example.com");
      nameless.destroy();
      const agent = new Agent({ keepAlive: false, maxVersion: version });
      expect(await askOwn(agent)).toEqual({ status: 200, resumed: false });
      expect(await askOwn(agent)).toEqual({ status: 200, resumed: true });
      passed.destroy();
    },
  );

  test("reads a hello that comes byte by byte, whomever it asks for", async () => {
    await serve();
    for (const servername of [asked, "proxy.example.com"]) {
      const socket = await handshakeInPieces({ servername }, 7);
      expect(socket.getPeerCertificate().subjectaltname).toBe(`DNS:${servername}`);
      socket.destroy();
    }
  });

  test("keeps both sides' sessions: auth's are resumed too", async () => {
    await serve();
    const first = await handshake({ servername: asked, maxVersion: "TLSv1.2" });
    const session = first.getSession()!;
    first.destroy();
    const again = await handshake({ servername: asked, maxVersion: "TLSv1.2", session });
    expect(again.isSessionReused()).toBe(true);
    again.destroy();
  });

  test("refuses bytes that are no TLS as usual, and closes a connection that sends nothing", async () => {
    await serve({ headersMs: 400 });
    const heard = async (bytes: Buffer | string, end = false): Promise<string> => {
      const socket = connectTcp(server.port, "127.0.0.1");
      let answer = "";
      socket.on("error", () => undefined);
      socket.on("data", (piece) => (answer += piece.toString("latin1")));
      socket.write(bytes);
      if (end) socket.end();
      await closing(socket);
      return answer;
    };
    const [plain, silent, half, endless, gone] = await Promise.all([
      heard("GET / HTTP/1.1\r\nhost: a\r\n\r\n"),
      heard(""),
      heard(Buffer.from([22, 3, 1, 2, 0, 1, 0])),
      heard(Buffer.concat(Array.from({ length: 3000 }, () => Buffer.from([22, 3, 1, 0, 5, 1, 255, 255, 255, 0])))),
      heard(Buffer.from([22, 3, 1, 2, 0, 1, 0]), true),
    ]);
    expect([plain, silent, half, gone]).toEqual(["", "", "", ""]);
    // An alert of TLS.
    expect(endless.charCodeAt(0)).toBe(21);
    const agent = new Agent();
    expect((await askOwn(agent)).status).toBe(200);
    agent.destroy();
  });

  test("counts and closes what it passes on as its other connections, the oldest of the crowd first", async () => {
    await serve({ connections: 3, mostConnections: 50 });
    const first = await handshake({ servername: asked });
    const others = [await handshake({ servername: asked }), await handshake({ servername: asked })];
    const closed = closing(first);
    const last = await handshake({ servername: "proxy.example.com" });
    await closed;
    expect(await saidBack(others[0]!, "still there")).toBe("still there");
    for (const socket of [...others, last]) socket.destroy();
  });

  test("is told in metrics", async () => {
    await serve();
    const passed = await handshake({ servername: asked });
    const told = await (await fetch(`${server.lookUrl}/metrics`)).text();
    expect(told).toContain('svc_proxy_passed_connections_total{outcome="passed"} 1\n');
    expect(told).toContain("svc_proxy_connections 1\n");
    passed.destroy();
  });
});

describe("what is passed on", () => {
  test("ends on both sides, after the last bytes", async () => {
    await serve();
    const client = await handshake({ servername: asked });
    expect(await saidBack(client, "hello")).toBe("hello");
    const gone = closing(come[0]!);
    client.end("the last word");
    await gone;
    const other = await handshake({ servername: asked });
    expect(await saidBack(other, "hello")).toBe("hello");
    const ended = closing(other);
    come[1]!.end();
    await ended;
    await expect.poll(() => server.live.serving.connections.count).toBe(0);
  });

  test("is closed if auth cannot be reached, and the client is not told why", async () => {
    await serve({}, { isAskedFor: (name) => name === asked, connect: () => Promise.reject(new Error("10.0.0.1 is away")) });
    const socket = connect({ port: server.port, host: "127.0.0.1", servername: asked });
    const [error] = (await once(socket, "error")) as [Error];
    expect(error.message).not.toContain("10.0.0.1");
    expect(server.live.serving.meter.passes).toEqual({ passed: 0, refused: 0, unreachable: 1 });
  });

  test("is given up if the client goes before auth is reached", async () => {
    const given = Promise.withResolvers<boolean>();
    const connectTo = (signal: AbortSignal): Promise<Socket> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          given.resolve(true);
          reject(signal.reason);
        });
      });
    await serve({}, { isAskedFor: () => true, connect: connectTo });
    const socket = connect({ port: server.port, host: "127.0.0.1", servername: asked });
    socket.on("error", () => undefined);
    while (server.live.serving.connections.count === 0) await sleep(5);
    await sleep(50);
    socket.destroy();
    // Not read, it is heard of where the client breaks off; an end waits for the deadline.
    server.live.serving.connections.all()[0]?.socket.destroy();
    expect(await given.promise).toBe(true);
  });

  test("has a limit for each address; the next connection is closed at once", async () => {
    const waiting: (() => void)[] = [];
    const through: Auth = {
      isAskedFor: () => true,
      connect: () => new Promise((_resolve, reject) => waiting.push(() => reject(new Error("over")))),
    };
    await serve({}, through);
    const another = (): TLSSocket =>
      connect({ port: server.port, host: "127.0.0.1", servername: asked }).on("error", () => undefined);
    const sockets = Array.from({ length: passingLimits.atOnceOfOne + 3 }, another);
    const closed = Promise.all(sockets.map(closing));
    const { meter } = server.live.serving;
    while (meter.passes.refused < 3) await sleep(10);
    expect(waiting.length).toBe(passingLimits.atOnceOfOne);
    for (const end of waiting) end();
    await closed;
    expect(meter.passes).toEqual({ passed: 0, refused: 3, unreachable: passingLimits.atOnceOfOne });
    // And again once those have ended.
    another();
    while (waiting.length === passingLimits.atOnceOfOne) await sleep(10);
    waiting.at(-1)!();
  });

  test("loses its place to an address with fewer connections: the newest of the address with the most", async () => {
    await serve();
    const passing = passOnTo(authAt(portOf(auth)), {
      meter: new Meter(),
      limits: { ...passingLimits, atOnce: 3, atOnceOfOne: 2 },
    });
    const between = createTcpServer({ pauseOnConnect: true }, (socket) => {
      passing.pass({ socket, from: socket.remoteAddress ?? "", lastAsked: 0, unanswered: 0, unread: 0 });
    });
    between.listen({ port: 0, host: "127.0.0.1" });
    await once(between, "listening");
    const from = (localAddress: string): Promise<TLSSocket> =>
      handshake({ servername: asked, port: portOf(between), socket: connectTcp({ port: portOf(between), localAddress }) });
    const crowd = [await from("127.0.0.2"), await from("127.0.0.2")];
    const closed = closing(crowd[1]!);
    const others = [await from("127.0.0.3"), await from("127.0.0.4")];
    await closed;
    for (const socket of [crowd[0]!, ...others]) expect(await saidBack(socket, "still there")).toBe("still there");
    for (const socket of [...crowd, ...others]) socket.destroy();
    between.close();
  });

  test("goes on over a reload, ends its work in a stop, and is not waited for if it is idle", async () => {
    await serve({ drainMs: 5000, lastWordMs: 300 });
    const [busy, idle] = [await handshake({ servername: asked }), await handshake({ servername: asked })];
    server.reload(await secure("{}", own));
    expect(await saidBack(busy, "after the reload")).toBe("after the reload");
    const startedMs = Date.now();
    const closed = Promise.all([closing(busy), closing(idle)]).then(() => Date.now() - startedMs);
    const stopped = server.stop();
    let isIdleOpen = true;
    idle.once("close", () => (isIdleOpen = false));
    for (let said = 0; said < 10; said += 1) {
      expect(await saidBack(busy.removeAllListeners("data"), `${said}`)).toBe(`${said}`);
      await sleep(100);
    }
    expect(isIdleOpen).toBe(false);
    await stopped;
    expect(await closed).toBeLessThan(5000);
  });

  test("is cut if it does not end in a stop", async () => {
    await serve({ drainMs: 600, lastWordMs: 200 });
    const busy = await handshake({ servername: asked });
    const talk = setInterval(() => busy.write("x"), 20);
    const closed = closing(busy.resume());
    await server.stop();
    await closed;
    clearInterval(talk);
    await expect.poll(() => server.live.serving.connections.count).toBe(0);
  });
});
