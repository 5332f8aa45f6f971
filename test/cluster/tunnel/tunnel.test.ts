import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { performServerHandshake } from "node:http2";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { InstanceKind } from "../../../src/cluster/identity/names.ts";
import { tunnelServerName } from "../../../src/cluster/identity/names.ts";
import { readIdentity } from "../../../src/cluster/presence/identity-file.ts";
import type { Identity } from "../../../src/cluster/presence/identity.ts";
import { joinCluster } from "../../../src/cluster/presence/join-cluster.ts";
import { acceptTunnels, type AcceptedTunnels, type OpenedStream } from "../../../src/cluster/tunnel/accept.ts";
import { keepTunnels, type Tunnels } from "../../../src/cluster/tunnel/dial.ts";
import { contextOf, tunnelProtocol } from "../../../src/cluster/tunnel/peer.ts";
import { startOverTls, type OverTls } from "../auth/over-tls.ts";
import { joiningTo, makeHost, makeToken } from "../presence/host.ts";
import { directWays } from "../presence/ways.ts";

let auth: OverTls;
let [node, other, proxy]: Identity[] = [];

async function joined(to: OverTls, kind: InstanceKind): Promise<Identity> {
  using host = makeHost(to, kind);
  const tokenFile = host.tokenFile(await makeToken(to, { type: kind }));
  await joinCluster(joiningTo(to, { tokenFile }), host.ports);
  return readIdentity(host.place)!;
}

beforeAll(async () => {
  auth = await startOverTls();
  [node, other, proxy] = [await joined(auth, "node"), await joined(auth, "node"), await joined(auth, "proxy")];
});
afterAll(async () => auth[Symbol.asyncDispose]());

/** A listener on loopback that ends with the test. */
async function listening(taken: (socket: Socket) => void): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(taken);
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ending.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

let ending: (() => void)[] = [];
let said: string[];
beforeEach(() => {
  [ending, said] = [[], []];
});
afterEach(() => {
  for (const end of ending.toReversed()) end();
});

async function acceptingAs(
  identity: Identity | undefined,
): Promise<{ readonly tunnels: AcceptedTunnels; readonly port: number }> {
  const log = (_level: string, sentence: string, fields?: object): void =>
    void said.push(`${sentence} ${JSON.stringify(fields)}`);
  const tunnels = acceptTunnels({ identity: () => identity, log, now: () => auth.clock.now });
  const { port } = await listening((socket) => tunnels.take(socket));
  ending.push(tunnels.close);
  return { tunnels, port };
}

function dialling(identity: Identity | undefined, sshdPort: number, now = auth.clock.now): Tunnels {
  const stop = new AbortController();
  ending.push(() => stop.abort());
  return keepTunnels({
    identity: () => identity,
    ways: directWays,
    sshd: { host: "127.0.0.1", port: sshdPort },
    log: (_level, sentence) => void said.push(sentence),
    now: () => now,
    random: () => 0,
    wait: (_seconds, signal) =>
      new Promise((resolve) => {
        setTimeout(resolve, 20);
        signal.addEventListener("abort", () => resolve());
      }),
    stopping: stop.signal,
  });
}

const at = (port: number): { host: string; port: number } => ({ host: "127.0.0.1", port });

/** Once the host's tunnel is there. */
async function opened(tunnels: AcceptedTunnels, id: string): Promise<Exclude<OpenedStream, { readonly kind: "no-tunnel" }>> {
  for (;;) {
    const stream = await tunnels.open(id);
    if (stream.kind !== "no-tunnel") return stream;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function streamTo(tunnels: AcceptedTunnels, id: string): Promise<Duplex> {
  const stream = await opened(tunnels, id);
  if (stream.kind !== "open") throw new Error(stream.why);
  return stream.stream;
}

async function saying(words: RegExp): Promise<string> {
  for (;;) {
    const found = said.find((sentence) => words.test(sentence));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const echo = (socket: Socket): void => void socket.pipe(socket);

describe("a tunnel", () => {
  test("carries streams to the host's own sshd, both ways and to their ends", async () => {
    const { tunnels, port } = await acceptingAs(proxy);
    const sshd = await listening(echo);
    dialling(node, sshd.port).keep([at(port)]);
    const sent = randomBytes(20 * 1024 * 1024);
    const streams = await Promise.all([1, 2].map(() => streamTo(tunnels, node!.stored.instance)));
    await Promise.all(
      streams.map(async (stream) => {
        stream.end(sent);
        const pieces: Buffer[] = [];
        for await (const piece of stream) pieces.push(piece as Buffer);
        expect(Buffer.concat(pieces).equals(sent)).toBe(true);
      }),
    );
    expect((await tunnels.open(other!.stored.instance)).kind).toBe("no-tunnel");
  });

  test("says that the sshd does not answer, and goes on", async () => {
    const { tunnels, port } = await acceptingAs(proxy);
    const gone = await listening(echo);
    gone.server.close();
    await once(gone.server, "close");
    dialling(node, gone.port).keep([at(port)]);
    expect(await opened(tunnels, node!.stored.instance)).toEqual({ kind: "no-sshd", why: "ECONNREFUSED" });
    expect(await opened(tunnels, node!.stored.instance)).toEqual({ kind: "no-sshd", why: "ECONNREFUSED" });
  });

  test("keeps no stream that its host refused and left open", async () => {
    const { tunnels, port } = await acceptingAs(proxy);
    const secured = connectTls({
      ...at(port),
      secureContext: contextOf(node!),
      servername: tunnelServerName(node!.stored.cluster.id),
      rejectUnauthorized: false,
      ALPNProtocols: [tunnelProtocol],
    });
    ending.push(() => secured.destroy());
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
    const { tunnels, port } = await acceptingAs(proxy);
    const sshd = await listening(echo);
    const agent = dialling(node, sshd.port);
    agent.keep([at(port)]);
    const stream = await streamTo(tunnels, node!.stored.instance);
    const closed = once(stream, "close");
    tunnels.close();
    await closed;
    const again = await streamTo(tunnels, node!.stored.instance);
    const left = once(again, "close");
    agent.keep([]);
    await left;
    expect((await tunnels.open(node!.stored.instance)).kind).toBe("no-tunnel");
  });

  test("of a host that dials anew replaces the one before", async () => {
    const { tunnels, port } = await acceptingAs(proxy);
    const sshd = await listening(echo);
    dialling(node, sshd.port).keep([at(port)]);
    const first = await streamTo(tunnels, node!.stored.instance);
    const closed = once(first, "close");
    dialling(node, sshd.port).keep([at(port)]);
    await closed;
    expect((await opened(tunnels, node!.stored.instance)).kind).toBe("open");
  });

  test("is not taken from another cluster's host, and a host does not take another cluster's proxy", async () => {
    await using elsewhere = await startOverTls();
    const stranger = await joined(elsewhere, "node");
    const { port } = await acceptingAs(proxy);
    const sshd = await listening(echo);
    const forged: Identity = {
      ...stranger,
      trusted: proxy!.trusted,
      stored: { ...stranger.stored, cluster: proxy!.stored.cluster },
    };
    dialling(forged, sshd.port).keep([at(port)]);
    expect(await saying(/a tunnel of a host was not taken/)).toContain("unknown-authority");
    const theirs = await acceptingAs(await joined(elsewhere, "proxy"));
    dialling(node, sshd.port).keep([at(theirs.port)]);
    expect(await saying(/does not answer as a proxy of this cluster/)).toContain("unknown-authority");
  });

  test("is not opened to a host that passes for a proxy, nor by a clock that is far off, nor before joining", async () => {
    const { port } = await acceptingAs(other);
    const sshd = await listening(echo);
    dialling(node, sshd.port).keep([at(port)]);
    expect(await saying(/does not answer as a proxy/)).toContain("its certificate is of the kind node");
    const real = await acceptingAs(proxy);
    dialling(node, sshd.port, auth.clock.now + 90 * 86_400).keep([at(real.port)]);
    expect(await saying(/is expired by this host's clock/)).toBeDefined();
    dialling(undefined, sshd.port).keep([at(real.port)]);
    expect(await saying(/this host has not joined/)).toBeDefined();
  });

  test("is asked for by the cluster's name at a proxy alone", async () => {
    const name = tunnelServerName(proxy!.stored.cluster.id);
    const asks = async (identity: Identity | undefined): Promise<boolean> =>
      (await acceptingAs(identity)).tunnels.isAskedFor(name);
    expect([await asks(proxy), await asks(node), await asks(undefined)]).toEqual([true, false, false]);
    expect((await acceptingAs(proxy)).tunnels.isAskedFor("proxy.example.com")).toBe(false);
  });
});
