import type { Socket } from "node:net";
import type { Connection } from "../../machine/listening/connections.ts";
import { AtOnce, type AtOnceLimits } from "./at-once.ts";
import type { Meter, Passed } from "./meter.ts";

/** The auth service of this proxy's cluster: connections that ask for it are its own, from their first byte. */
export type Auth = {
  readonly isAskedFor: (name: string) => boolean;
  /** Throws where it is not reached. */
  readonly connect: (signal: AbortSignal) => Promise<Socket>;
};

export type PassingLimits = AtOnceLimits & { readonly idleMs: number };

export const passingLimits: PassingLimits = {
  // A host that reports keeps its connection for less than a second; auth waits for all of them at most, as for strangers.
  atOnce: 4096,
  // A site behind one address; what is refused asks again later.
  atOnceOfOne: 256,
  // As long as auth itself lets one be idle.
  idleMs: 75_000,
};

export type PassOn = Pick<Auth, "isAskedFor"> & {
  /** It ends with the one or the other side's, and never throws. */
  readonly pass: (connection: Connection) => void;
  /** From now on nobody is waited for on whose connection nothing moves for so long. */
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
      // Whoever looks after the proxy sees why in its log: a stranger is told nothing.
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

/** What one side has said reaches the other also where it ends with that. */
function join(client: Socket, auth: Socket): void {
  auth.on("error", () => undefined);
  client.once("close", () => auth.destroySoon());
  auth.once("close", () => client.destroySoon());
  client.pipe(auth);
  auth.pipe(client);
}
