import type { Socket } from "node:net";
import type { Connection } from "../../machine/listening/connections.ts";
import { AtOnce, type AtOnceLimits } from "./at-once.ts";
import type { Meter, Passed } from "./meter.ts";

/** The auth service of this proxy's cluster. Its clients' connections are passed on unread. */
export type Auth = {
  readonly isAskedFor: (name: string) => boolean;
  /** Throws if it cannot be reached. */
  readonly connect: (signal: AbortSignal) => Promise<Socket>;
};

export type PassingLimits = AtOnceLimits & { readonly idleMs: number };

export const passingLimits: PassingLimits = {
  // Enough: a host that reports keeps its connection for less than a second.
  atOnce: 4096,
  // Enough for a site whose hosts share one address. Refused clients try again later.
  atOnceOfOne: 256,
  // As long as auth keeps an idle connection.
  idleMs: 75_000,
};

export type PassOn = Pick<Auth, "isAskedFor"> & {
  /** Passes bytes between a client and auth until one of them closes the connection. Never throws. */
  readonly pass: (connection: Connection) => void;
  /** Closes connections that are idle for this long, from this call on. */
  readonly hurry: (idleMs: number) => void;
};

type Ports = { readonly meter: Pick<Meter, "passed">; readonly limits?: PassingLimits };

export function passOnTo({ isAskedFor, connect }: Auth, { meter, limits = passingLimits }: Ports): PassOn {
  const places = new AtOnce(limits);
  const open = new Set<Socket>();
  let { idleMs } = limits;

  async function pass({ socket, from }: Connection): Promise<Passed> {
    const place = places.take(from, () => socket.destroy());
    if (place === undefined) {
      socket.destroy();
      return "refused";
    }
    const gone = new AbortController();
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      open.delete(socket);
      place.giveBack();
      gone.abort();
    });
    socket.setTimeout(idleMs, () => socket.destroy());
    try {
      join(socket, await connect(gone.signal));
      return "passed";
    } catch {
      // The proxy's log has the reason, which the client must not learn.
      socket.destroy();
      return "unreachable";
    }
  }

  return {
    isAskedFor,
    pass: (connection) => void pass(connection).then((outcome) => meter.passed(outcome)),
    hurry: (ms) => {
      idleMs = ms;
      for (const socket of open) socket.setTimeout(ms);
    },
  };
}

/** Each side's last bytes reach the other, even if it closes right after them. */
function join(client: Socket, auth: Socket): void {
  auth.on("error", () => undefined);
  client.once("close", () => auth.destroySoon());
  auth.once("close", () => client.destroySoon());
  client.pipe(auth);
  auth.pipe(client);
}
