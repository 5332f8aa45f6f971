import type { Server, Socket } from "node:net";
import type { Server as SecureServer, TLSSocket } from "node:tls";
import type { Connection, Connections } from "./connections.ts";
import { Handshakes } from "./handshakes.ts";
import type { SpareTime } from "./spare-time.ts";

export type Admission = {
  readonly connections: Connections;
  readonly spare: SpareTime;
  /** Called with each connection before a request is read. */
  readonly begin: (connection: Connection) => void;
  /** Looks at a connection before its handshake, and starts that if the connection is ours. */
  readonly look?: (connection: Connection, handshake: () => void) => void;
};

/** Counts every connection. At the limit, idle ones are closed for a new one. */
export function admit(server: Server, { connections, begin }: Pick<Admission, "connections" | "begin">): void {
  server.on("connection", (socket: Socket) => begin(connections.accept(socket)));
}

/** Admits connections as `admit` does, but their handshakes take turns. */
export function admitSecurely(server: SecureServer, { connections, spare, begin, look = atOnce }: Admission): void {
  const handshakes = new Handshakes(spare);
  // Replaces Node's listeners, which would start every handshake at once, in the order of arrival.
  const listeners = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const connection = connections.accept(socket);
    look(connection, () => {
      handshakes.add(connection, () => {
        for (const listener of listeners) listener.call(server, socket);
      });
    });
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    const connection = connections.secured(socket);
    if (connection === undefined) socket.destroy();
    else begin(connection);
  });
}

function atOnce(_connection: Connection, handshake: () => void): void {
  handshake();
}
