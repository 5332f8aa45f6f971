import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { parseAddress } from "../../rules/route/address.ts";
import { leastMissed } from "./least-missed.ts";

/** A connection for as long as it is open. */
export type Connection = {
  /** What is asked over: after a handshake the socket that speaks TLS. */
  socket: Socket;
  /** One client, or a whole site behind one address. */
  from: string;
  /** Counts up from question to question of all: the lowest was quiet for longest. */
  lastAsked: number;
  /** Questions whose answers were not all handed to the system. */
  unanswered: number;
  /** Bytes that were received and not looked at. */
  unread: number;
};

type Peer = Pick<Socket, "remoteAddress" | "remotePort">;

/** Why connections were closed for the sake of others. */
export type Shed = "most-connections" | "most-unread";

export type ConnectionsPorts = {
  readonly limits: { readonly connections: number };
  readonly told: (why: Shed, closed: readonly Connection[]) => void;
};

/** One in fifty: to find them takes some milliseconds, which those that come next need not spend. */
const shedAtOnce = 1 / 50;

/** All connections of a listener. At its limit, and only there, idle ones make room. */
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

  /** How many there have ever been. */
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
    // Before it is among them: it is to be heard, if only to be told that there is no room.
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

  /** By whom it leads to, whatever stands for its socket. Undefined where the client is gone. */
  find(socket: Peer): Connection | undefined {
    return this.#byPeer.get(peerOf(socket));
  }

  /** After its handshake. Undefined where the client is gone by then. */
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

  /** At once: what is closed is not counted for the next one that comes. */
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

/** A client has as many IPv6 addresses as it likes, and one network of them. */
export function siteOf(remoteAddress: string = ""): string {
  const address = remoteAddress.includes(":") ? parseAddress(remoteAddress) : undefined;
  if (address?.family !== 6) return remoteAddress;
  const groups = [112n, 96n, 80n, 64n].map((shift) => ((address.number >> shift) & 0xffffn).toString(16));
  return `${groups.join(":")}::/64`;
}
