import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { parseAddress } from "../../rules/route/address.ts";
import { leastMissed } from "./least-missed.ts";

export type Connection = {
  /** The socket that carries requests; after a handshake, the TLS socket. */
  socket: Socket;
  /** The client's address, which may be a whole site's. */
  from: string;
  /** The number of the last request, counted over all connections. The lowest was quiet for the longest time. */
  lastAsked: number;
  /** Requests whose answers the system has not taken completely. */
  unanswered: number;
  /** Received bytes that were not yet parsed. */
  unread: number;
};

type Peer = Pick<Socket, "remoteAddress" | "remotePort">;

/** Why connections were closed to make room. */
export type Shed = "most-connections" | "most-unread";

export type ConnectionsPorts = {
  readonly limits: { readonly connections: number };
  readonly told: (why: Shed, closed: readonly Connection[]) => void;
};

/** Closes one connection in fifty at a time, because finding them takes milliseconds, which the next connections then save. */
const shedAtOnce = 1 / 50;

/** All connections of a listener. Idle ones are closed only at its limit. */
export class Connections {
  readonly #ports: ConnectionsPorts;
  readonly #open = new Set<Connection>();
  readonly #bySocket = new WeakMap<object, Connection>();
  readonly #byPeer = new Map<string, Connection>();
  #asked = 0;
  #accepted = 0;

  constructor(ports: ConnectionsPorts) {
    this.#ports = ports;
  }

  /** All connections ever accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  get count(): number {
    return this.#open.size;
  }

  has(connection: Connection): boolean {
    return this.#open.has(connection);
  }

  all(): readonly Connection[] {
    return [...this.#open];
  }

  accept(socket: Socket): Connection {
    // Makes room before it adds the connection, so that even one too many is answered.
    const { connections: most } = this.#ports.limits;
    if (this.#open.size >= most) this.close("most-connections", leastMissed(this.all(), Math.ceil(most * shedAtOnce)));
    const peer = peerOf(socket);
    this.#accepted += 1;
    this.#asked += 1;
    const connection = { socket, from: siteOf(socket.remoteAddress), lastAsked: this.#asked, unanswered: 0, unread: 0 };
    this.#open.add(connection);
    this.#bySocket.set(socket, connection);
    this.#byPeer.set(peer, connection);
    socket.once("close", () => {
      this.#open.delete(connection);
      if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    });
    return connection;
  }

  /** Finds a connection by its peer, whichever socket stands for it. Undefined if the client is gone. */
  find(socket: Peer): Connection | undefined {
    return this.#byPeer.get(peerOf(socket));
  }

  /** Called after the handshake. Undefined if the client is gone. */
  secured(socket: TLSSocket): Connection | undefined {
    const connection = this.find(socket);
    if (connection === undefined) return undefined;
    connection.socket = socket;
    this.#bySocket.set(socket, connection);
    return connection;
  }

  asked(socket: Socket): Connection | undefined {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined) return undefined;
    this.#asked += 1;
    connection.lastAsked = this.#asked;
    return connection;
  }

  /** Stops counting a connection that lasts. Its new owner has its own limits. */
  release(socket: Socket): void {
    const connection = this.#bySocket.get(socket) ?? this.find(socket);
    if (connection === undefined) return;
    this.#open.delete(connection);
    this.#bySocket.delete(socket);
  }

  /** Removes them at once, so that the next connection does not count them. */
  close(why: Shed, connections: readonly Connection[]): void {
    if (connections.length === 0) return;
    for (const connection of connections) {
      this.#open.delete(connection);
      connection.socket.destroy();
    }
    this.#ports.told(why, connections);
  }
}

function peerOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}

/** The client's address, or its IPv6 network: a client has as many IPv6 addresses as it likes. */
export function siteOf(remoteAddress: string = ""): string {
  const address = remoteAddress.includes(":") ? parseAddress(remoteAddress) : undefined;
  if (address?.family !== 6) return remoteAddress;
  const groups = [112n, 96n, 80n, 64n].map((shift) => ((address.number >> shift) & 0xffffn).toString(16));
  return `${groups.join(":")}::/64`;
}
