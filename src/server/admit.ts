import type { Server } from "node:http";
import type { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Connections } from "./connections.ts";
import { Handshakes } from "./handshakes.ts";
import type { SpareTime } from "./spare-time.ts";
import type { Turns } from "./turns.ts";

export type Admission = { readonly connections: Connections; readonly turns: Turns; readonly spare: SpareTime };

/** Whoever connects is counted, makes room for itself at the limit, and then has its turns. */
export function admit(server: Server, { connections, turns }: Admission): void {
  server.on("connection", (socket: Socket) => turns.begin(connections.accept(socket)));
}

/** The same, behind handshakes that have turns of their own. */
export function admitSecurely(server: SecureServer, { connections, turns, spare }: Admission): void {
  const handshakes = new Handshakes(spare);
  // Node would begin at once, and do all that wait in the order in which they came.
  const atOnce = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    handshakes.add(connections.accept(socket), () => {
      for (const begin of atOnce) begin.call(server, socket);
    });
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    const connection = connections.secured(socket);
    if (connection === undefined) socket.destroy();
    else turns.begin(connection);
  });
}
