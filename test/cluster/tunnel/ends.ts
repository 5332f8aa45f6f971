import { createPublicKey, randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { issue, makeAuthority } from "../../../src/cluster/identity/authority.ts";
import { makeKeyPair } from "../../../src/cluster/identity/key.ts";
import { parseClusterId, parseInstanceId, type InstanceKind } from "../../../src/cluster/identity/names.ts";
import { checkIdentity, type Identity } from "../../../src/cluster/presence/identity.ts";
import { acceptTunnels, type AcceptedTunnels, type OpenedStream } from "../../../src/cluster/tunnel/accept.ts";
import { keepTunnels, type TunnelPorts, type Tunnels } from "../../../src/cluster/tunnel/dial.ts";
import type { HostPort } from "../../../src/rules/route/host-port.ts";
import { directWays } from "../presence/ways.ts";

export type Listening = { readonly server: Server; readonly port: number };
export type Accepting = { readonly tunnels: AcceptedTunnels; readonly port: number; readonly server: Server };

/** The two ends of tunnels on loopback, which close with the test. */
export type Ends = Disposable & {
  /** What both ends have logged. */
  readonly said: string[];
  readonly ending: (() => void)[];
  readonly listening: (taken: (socket: Socket) => void, port?: number) => Promise<Listening>;
  readonly accepting: (identity: Identity | undefined, port?: number, longestSilenceMs?: number) => Promise<Accepting>;
  readonly dialling: (identity: Identity | undefined, sshdPort: number, ports?: Partial<TunnelPorts>) => Tunnels;
  readonly saying: (words: RegExp) => Promise<string>;
};

export const at = (port: number): HostPort & { readonly port: number } => ({ host: "127.0.0.1", port });
export const nowSeconds = (): number => Math.floor(Date.now() / 1000);
export const echo = (socket: Socket): void => void socket.pipe(socket);

export function makeEnds(now: () => number = nowSeconds): Ends {
  const said: string[] = [];
  const ending: (() => void)[] = [];
  const listening: Ends["listening"] = async (taken, port = 0) => {
    const server = createServer(taken);
    const open = new Set<Socket>();
    server.on("connection", (socket) => {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => open.delete(socket));
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    ending.push(() => {
      for (const socket of open) socket.destroy();
      server.close();
    });
    return { server, port: (server.address() as AddressInfo).port };
  };
  return {
    said,
    ending,
    listening,
    accepting: async (identity, asked, longestSilenceMs) => {
      const log = (_level: string, sentence: string, fields?: object): void =>
        void said.push(`${sentence} ${JSON.stringify(fields)}`);
      const tunnels = acceptTunnels({
        identity: () => identity,
        log,
        now,
        ...(longestSilenceMs === undefined ? {} : { longestSilenceMs }),
      });
      const { server, port } = await listening((socket) => tunnels.take(socket), asked);
      ending.push(tunnels.close);
      return { tunnels, port, server };
    },
    dialling: (identity, sshdPort, ports = {}) => {
      const stop = new AbortController();
      ending.push(() => stop.abort());
      return keepTunnels({
        identity: () => identity,
        ways: directWays,
        sshd: at(sshdPort),
        log: (_level, sentence) => void said.push(sentence),
        now,
        random: () => 0,
        wait: (_seconds, signal) => sleep(20, undefined, { signal }).catch(() => undefined),
        stopping: stop.signal,
        ...ports,
      });
    },
    saying: async (words) => {
      for (;;) {
        const found = said.find((sentence) => words.test(sentence));
        if (found !== undefined) return found;
        await sleep(20);
      }
    },
    [Symbol.dispose]: () => {
      for (const end of ending.toReversed()) end();
    },
  };
}

/** Once the host's tunnel is there. */
export async function opened(
  tunnels: AcceptedTunnels,
  id: string,
): Promise<Exclude<OpenedStream, { readonly kind: "no-tunnel" }>> {
  for (;;) {
    const stream = await tunnels.open(id);
    if (stream.kind !== "no-tunnel") return stream;
    await sleep(20);
  }
}

export async function streamTo(tunnels: AcceptedTunnels, id: string): Promise<Duplex> {
  const stream = await opened(tunnels, id);
  if (stream.kind !== "open") throw new Error(stream.why);
  return stream.stream;
}

/** A cluster's authority, which makes instances without an auth service. They share one key. */
export async function makeInstances(): Promise<(kind: InstanceKind) => Promise<Identity>> {
  const cluster = { name: "example", id: parseClusterId(randomUUID())! };
  const validity = { from: nowSeconds() - 3600, until: nowSeconds() + 3600 };
  const authority = await makeAuthority(cluster.id, validity);
  const { publicKey, privateKey } = await makeKeyPair();
  return async (kind) => {
    const id = parseInstanceId(randomUUID())!;
    const subject = { cluster: cluster.id, kind, id };
    const { certificate } = await issue(authority, { subject, publicKey: createPublicKey(publicKey), validity });
    const reading = checkIdentity({
      cluster,
      kind,
      instance: id,
      authServers: ["127.0.0.1:1"],
      certificate,
      privateKey,
      authorities: authority.certificate,
      received: { now: nowSeconds(), sinceBootSeconds: 0, bootId: "boot" },
      renewAfterSeconds: 3600,
      generation: 1,
    });
    if (reading.kind === "refused") throw new Error(reading.why);
    return reading.identity;
  };
}

export type Wire = {
  readonly port: number;
  /** Nothing passes any more on the connections that there are, and neither end is told. */
  readonly silence: () => void;
  readonly resume: () => void;
  /** What the kernel does when a program is killed. */
  readonly cut: () => void;
};

/** The network between two programs. */
export async function wireTo({ listening }: Ends, port: number): Promise<Wire> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const both = (of: (socket: Socket) => void): void => {
    for (const pair of pairs) pair.forEach(of);
  };
  const near = await listening((socket) => {
    const far = connect(at(port)).on("error", () => undefined);
    pairs.add([socket, far]);
    socket.pipe(far);
    far.pipe(socket);
    socket.once("close", () => far.destroy());
    far.once("close", () => socket.destroy());
  });
  let silent: (readonly [Socket, Socket])[] = [];
  return {
    port: near.port,
    silence: () => {
      both((socket) => socket.unpipe().pause());
      silent = [...pairs];
    },
    resume: () => {
      for (const [socket, far] of silent) socket.pipe(far).pipe(socket);
    },
    cut: () => both((socket) => socket.resetAndDestroy()),
  };
}

/** What keeps this process alive, of each kind. */
export function resources(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
