import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2, constants, performServerHandshake, type ClientHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { tunnelServerName } from "../../../src/cluster/identity/names.ts";
import type { Identity } from "../../../src/cluster/presence/identity.ts";
import type { TunnelPorts } from "../../../src/cluster/tunnel/dial.ts";
import { contextOf, tunnelProtocol } from "../../../src/cluster/tunnel/peer.ts";
import { isWhole } from "../../whole.ts";
import { at, echo, makeEnds, makeInstances, nowSeconds, opened, streamTo, type Accepting, type Ends } from "./ends.ts";

let [node, other, proxy]: Identity[] = [];
beforeAll(async () => {
  const make = await makeInstances();
  [node, other, proxy] = [await make("node"), await make("node"), await make("proxy")];
});

let ends: Ends;
beforeEach(() => {
  ends = makeEnds();
});
afterEach(() => ends[Symbol.dispose]());

describe("a tunnel", () => {
  test("carries streams to the host's own sshd, both ways and to their ends", async () => {
    const { tunnels, port } = await ends.accepting(proxy);
    const sshd = await ends.listening(echo);
    ends.dialling(node, sshd.port).keep([at(port)]);
    const sent = randomBytes(50 * 1024 * 1024);
    // Full in both directions at once, which stood still for ever with larger windows.
    for (let round = 0; round < (isWhole ? 20 : 1); round += 1) {
      const streams = await Promise.all([1, 2].map(() => streamTo(tunnels, node!.stored.instance)));
      await Promise.all(
        streams.map(async (stream) => {
          stream.end(sent);
          const pieces: Buffer[] = [];
          for await (const piece of stream) pieces.push(piece as Buffer);
          expect(Buffer.concat(pieces).equals(sent)).toBe(true);
        }),
      );
    }
    expect((await tunnels.open(other!.stored.instance)).kind).toBe("no-tunnel");
  });

  test("tells the time of the host's clock with each stream", async () => {
    const { tunnels, port } = await ends.accepting(proxy);
    ends.dialling(node, (await ends.listening(echo)).port).keep([at(port)]);
    const stream = await opened(tunnels, node!.stored.instance);
    const date = stream.kind === "open" ? (stream.date ?? "") : "";
    expect(Math.abs(Date.parse(date) / 1000 - nowSeconds())).toBeLessThan(60);
  });

  test("says that the sshd does not answer, and goes on", async () => {
    const { tunnels, port } = await ends.accepting(proxy);
    const gone = await ends.listening(echo);
    gone.server.close();
    await once(gone.server, "close");
    ends.dialling(node, gone.port).keep([at(port)]);
    expect(await opened(tunnels, node!.stored.instance)).toEqual({ kind: "no-sshd", why: "ECONNREFUSED" });
    expect(await opened(tunnels, node!.stored.instance)).toEqual({ kind: "no-sshd", why: "ECONNREFUSED" });
  });

  test("keeps no stream that its host refused and left open", async () => {
    const { tunnels, port } = await ends.accepting(proxy);
    const secured = connectTls({
      ...at(port),
      secureContext: contextOf(node!),
      servername: tunnelServerName(node!.stored.cluster.id),
      rejectUnauthorized: false,
      ALPNProtocols: [tunnelProtocol],
    });
    ends.ending.push(() => secured.destroy());
    await once(secured, "secureConnect");
    let closed = 0;
    performServerHandshake(secured).on("stream", (stream) => {
      stream.once("close", () => (closed += 1));
      stream.respond({ ":status": 502, "svc-why": "BUSY" });
    });
    expect(await opened(tunnels, node!.stored.instance)).toEqual({ kind: "no-sshd", why: "BUSY" });
    await vi.waitFor(() => expect(closed).toBe(1), { timeout: 4000 });
  });

  test("is dialled again when it is cut, and ends its streams then; a proxy that is no more named is left", async () => {
    const { tunnels, port } = await ends.accepting(proxy);
    const sshd = await ends.listening(echo);
    const agent = ends.dialling(node, sshd.port);
    agent.keep([at(port)]);
    const stream = await streamTo(tunnels, node!.stored.instance);
    const closed = once(stream, "close");
    tunnels.close();
    await closed;
    const again = await streamTo(tunnels, node!.stored.instance);
    expect(ends.said).toContain("the tunnel to a proxy broke and is dialled again");
    const left = once(again, "close");
    agent.keep([]);
    await left;
    expect((await tunnels.open(node!.stored.instance)).kind).toBe("no-tunnel");
  });

  test("stays open with a shell in which nobody types, for as long as the host pings", async () => {
    const { tunnels, port } = await ends.accepting(proxy, 0, 200);
    const sshd = await ends.listening(echo);
    ends.dialling(node, sshd.port, { pingEveryMs: 40 }).keep([at(port)]);
    ends.dialling(other, sshd.port).keep([at(port)]);
    const [shell, silent] = [await streamTo(tunnels, node!.stored.instance), await streamTo(tunnels, other!.stored.instance)];
    await once(silent, "close");
    await sleep(600);
    shell.end("still here");
    expect((await shell.toArray()).join("")).toBe("still here");
  });

  test("of a host that dials anew replaces the one before", async () => {
    const { tunnels, port } = await ends.accepting(proxy);
    const sshd = await ends.listening(echo);
    ends.dialling(node, sshd.port).keep([at(port)]);
    const first = await streamTo(tunnels, node!.stored.instance);
    const closed = once(first, "close");
    ends.dialling(node, sshd.port).keep([at(port)]);
    await closed;
    expect((await opened(tunnels, node!.stored.instance)).kind).toBe("open");
  });

  test("that breaks again and again is dialled less and less often, and a copy of the host is thought of", async () => {
    const { tunnels, port } = await ends.accepting(proxy);
    const waits: number[] = [];
    const wait = async (seconds: number): Promise<void> => {
      waits.push(seconds);
      await sleep(20);
    };
    ends.dialling(node, (await ends.listening(echo)).port, { wait }).keep([at(port)]);
    for (let count = 1; count <= 3; count += 1) {
      await opened(tunnels, node!.stored.instance);
      tunnels.close();
      await vi.waitFor(() => expect(waits).toHaveLength(count));
    }
    expect(waits).toEqual([30, 60, 60]);
    expect(await ends.saying(/a copy of this host/)).toContain("svc join --replace");
  });

  test("is dialled again as another instance once the host has joined anew", async () => {
    const { tunnels, port } = await ends.accepting(proxy);
    const sshd = await ends.listening(echo);
    let identity = node;
    const agent = ends.dialling(node, sshd.port, { identity: () => identity });
    agent.keep([at(port)]);
    const before = await streamTo(tunnels, node!.stored.instance);
    identity = other;
    agent.keep([at(port)]);
    await once(before, "close");
    expect((await opened(tunnels, other!.stored.instance)).kind).toBe("open");
    expect((await tunnels.open(node!.stored.instance)).kind).toBe("no-tunnel");
  }, 5000);

  /** A proxy that was taken over: each of its ends of tunnels. */
  async function takenOver(taken: (session: ClientHttp2Session) => void): Promise<number> {
    const { certificate, privateKey } = proxy!.stored;
    const shown = { cert: certificate, key: privateKey, ca: [], requestCert: true, rejectUnauthorized: false };
    const server = createTlsServer({ ...shown, ALPNProtocols: [tunnelProtocol], allowHalfOpen: true }, (secured) =>
      taken(connectHttp2("http://tunnel", { createConnection: () => secured }).on("error", () => undefined)),
    );
    return (await ends.listening((socket) => void server.emit("connection", socket))).port;
  }

  test("reaches the host's own sshd alone, whatever a proxy asks for that was taken over, and 512 times at once", async () => {
    const taken = Promise.withResolvers<ClientHttp2Session>();
    const port = await takenOver(taken.resolve);
    let reached = 0;
    const sshd = await ends.listening((socket) => {
      reached += 1;
      socket.write("sshd\n");
    });
    const elsewhere = await ends.listening(() => expect.unreachable());
    ends.dialling(node, sshd.port).keep([at(port)]);
    const session = await taken.promise;
    const asked = { ":method": "CONNECT", ":authority": `127.0.0.1:${elsewhere.port}` };
    const first = session.request(asked);
    expect(String((await once(first, "data"))[0])).toBe("sshd\n");
    const got = session.request({ ":method": "GET", ":path": "/", ":authority": `127.0.0.1:${elsewhere.port}` });
    await once(got.resume(), "close");
    const more = Array.from({ length: 600 }, () => session.request(asked).on("error", () => undefined));
    await vi.waitFor(() => expect(reached).toBe(512), { timeout: 4000 });
    more[0]!.close();
    await vi.waitFor(() => expect(reached).toBe(513), { timeout: 4000 });
  });

  test("outlives streams that a proxy resets at once, with bytes on their way", async () => {
    const sshd = await ends.listening(echo);
    const gone = await ends.listening(echo);
    gone.server.close();
    await once(gone.server, "close");
    for (const to of [sshd.port, gone.port]) {
      const taking = Promise.withResolvers<ClientHttp2Session>();
      ends.dialling(node, to).keep([at(await takenOver(taking.resolve))]);
      const session = await taking.promise;
      for (const code of [constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_CANCEL, constants.NGHTTP2_INTERNAL_ERROR]) {
        const stream = session.request({ ":method": "CONNECT", ":authority": "sshd" }).on("error", () => undefined);
        stream.write("SSH-2.0-x\r\n", () => stream.close(code));
        await new Promise((closed) => stream.once("close", closed));
      }
      await sleep(50);
      expect(session.destroyed).toBe(false);
    }
  });

  test("is dialled again after a proxy said goodbye and left it open", async () => {
    const twice = Promise.withResolvers<ClientHttp2Session>();
    let sessions = 0;
    const port = await takenOver((session) => {
      sessions += 1;
      if (sessions === 1) session.once("remoteSettings", () => session.goaway());
      else twice.resolve(session);
    });
    ends.dialling(node, 1, { pingEveryMs: 20 }).keep([at(port)]);
    expect((await twice.promise).destroyed).toBe(false);
  }, 5000);

  test("is not taken from another cluster's host, and a host does not take another cluster's proxy", async () => {
    const elsewhere = await makeInstances();
    const stranger = await elsewhere("node");
    const { port } = await ends.accepting(proxy);
    const sshd = await ends.listening(echo);
    const forged: Identity = {
      ...stranger,
      trusted: proxy!.trusted,
      stored: { ...stranger.stored, cluster: proxy!.stored.cluster },
    };
    ends.dialling(forged, sshd.port).keep([at(port)]);
    expect(await ends.saying(/a tunnel of a host was not taken/)).toContain("unknown-authority");
    const theirs = await ends.accepting(await elsewhere("proxy"));
    ends.dialling(node, sshd.port).keep([at(theirs.port)]);
    expect(await ends.saying(/does not answer as a proxy of this cluster/)).toContain("unknown-authority");
  });

  test("is not opened to a host that passes for a proxy, nor by a clock that is far off, nor before joining", async () => {
    const { port } = await ends.accepting(other);
    const sshd = await ends.listening(echo);
    ends.dialling(node, sshd.port).keep([at(port)]);
    expect(await ends.saying(/does not answer as a proxy/)).toContain("its certificate is of the kind node");
    const real = await ends.accepting(proxy);
    ends.dialling(node, sshd.port, { now: () => nowSeconds() + 90 * 86_400 }).keep([at(real.port)]);
    expect(await ends.saying(/is expired by this host's clock/)).toBeDefined();
    ends.dialling(undefined, sshd.port).keep([at(real.port)]);
    expect(await ends.saying(/this host has not joined/)).toBeDefined();
  });

  test("is the host's whose certificate it shows, whatever id the host says", async () => {
    const { tunnels, port } = await ends.accepting(proxy);
    const sshd = await ends.listening(echo);
    const liar: Identity = { ...node!, stored: { ...node!.stored, instance: other!.stored.instance }, peer: other!.peer };
    ends.dialling(liar, sshd.port).keep([at(port)]);
    expect((await opened(tunnels, node!.stored.instance)).kind).toBe("open");
    expect((await tunnels.open(other!.stored.instance)).kind).toBe("no-tunnel");
  });

  test("holds up no stream while nobody reads another, of which no more than the windows is kept", async () => {
    const { tunnels, port } = await ends.accepting(proxy);
    const piece = Buffer.alloc(65_536);
    const sockets: Socket[] = [];
    const sshd = await ends.listening((socket) => {
      sockets.push(socket);
      const fill = (): void => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on("drain", fill);
      fill();
    });
    ends.dialling(node, sshd.port).keep([at(port)]);
    const unread = await streamTo(tunnels, node!.stored.instance);
    const fast = await streamTo(tunnels, node!.stored.instance);
    let passed = 0;
    for await (const { length } of fast as AsyncIterable<Buffer>) {
      passed += length;
      if (passed > (isWhole ? 800 : 100) * 1024 * 1024) break;
    }
    // The window of the stream, and what the kernel holds of two connections.
    const { bytesWritten = 0 } = sockets[0] ?? {};
    expect(bytesWritten).toBeGreaterThan(0);
    expect(bytesWritten).toBeLessThan(32 * 1024 * 1024);
    unread.destroy();
  });

  test("comes back from each host when the proxy was started again", async () => {
    const hosts = isWhole ? 1000 : 50;
    const make = await makeInstances();
    const own = await make("proxy");
    const nodes = await Promise.all(Array.from({ length: hosts }, () => make("node")));
    const waits: number[] = [];
    const wait: TunnelPorts["wait"] = async (seconds, signal) => {
      waits.push(seconds);
      await sleep(seconds * 100, undefined, { signal }).catch(() => undefined);
    };
    const sshd = await ends.listening(echo);
    const before = await ends.accepting(own);
    for (const one of nodes) ends.dialling(one, sshd.port, { wait, random: Math.random }).keep([at(before.port)]);
    const all = async ({ tunnels }: Accepting): Promise<void> => {
      for (const { stored } of nodes) (await streamTo(tunnels, stored.instance)).destroy();
    };
    await all(before);
    waits.length = 0;
    before.tunnels.close();
    before.server.close();
    await once(before.server, "close");
    await all(await ends.accepting(own, before.port));
    // A proxy makes some hundred handshakes in a second, and makes all others wait meanwhile.
    expect(Math.max(...waits.slice(0, hosts)) - Math.min(...waits)).toBeGreaterThan(5);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1);
  });

  test("is asked for by the cluster's name at a proxy alone", async () => {
    const name = tunnelServerName(proxy!.stored.cluster.id);
    const asks = async (identity: Identity | undefined): Promise<boolean> =>
      (await ends.accepting(identity)).tunnels.isAskedFor(name);
    expect([await asks(proxy), await asks(node), await asks(undefined)]).toEqual([true, false, false]);
    expect((await ends.accepting(proxy)).tunnels.isAskedFor("proxy.example.com")).toBe(false);
  });
});
