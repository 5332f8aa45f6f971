import type { Server } from "node:http";
import type { Http2SecureServer } from "node:http2";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import type { Connection, Connections } from "../../machine/listening/connections.ts";
import type { AuthLimits } from "./limits.ts";

const lookEveryMs = 50;

type Draining = {
  readonly connections: Connections;
  readonly limits: Pick<AuthLimits, "drainMs" | "lastWordMs">;
  /** Whether a connection belongs to an HTTP/2 session, which closes itself after its last answer. */
  readonly isInSession: (connection: Connection) => boolean;
};

/** Accepts no more connections. HTTP/2 sessions get GOAWAY, others close after their last answer, and what is left is cut. */
export async function drain(server: Http2SecureServer, { connections, limits, isInSession }: Draining): Promise<void> {
  const startedMs = monotonicMs();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const look = setInterval(() => {
    closeIdle(server);
    if (monotonicMs() - startedMs < limits.lastWordMs) return;
    for (const connection of connections.all()) {
      if (connection.unanswered === 0 && !isInSession(connection)) connection.socket.destroy();
    }
  }, lookEveryMs);
  const cut = setTimeout(() => {
    for (const { socket } of connections.all()) socket.destroy();
  }, limits.drainMs);
  await closed;
  clearInterval(look);
  clearTimeout(cut);
}

/** A server with allowHTTP1 has it; its types do not say so. */
function closeIdle(server: Http2SecureServer): void {
  (server as unknown as Pick<Server, "closeIdleConnections">).closeIdleConnections();
}
