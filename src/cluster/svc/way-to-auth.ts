import type { Socket } from "node:net";
import type { Log } from "../../machine/logging/log.ts";
import { openConnection, urlOf } from "../../machine/network/open-connection.ts";
import { longestConnectMs } from "../../machine/network/request.ts";
import type { Auth } from "../../proxy/server/pass-on.ts";
import { authServerName, firstContactName } from "../identity/names.ts";
import { explainConnecting, noneReached, type Missed } from "../presence/explain-connecting.ts";
import type { Ways } from "../presence/mutual-tls.ts";
import { sayNowAndThen } from "./say-now-and-then.ts";
import type { PresencePart } from "./presence-part.ts";

type Ports = { readonly auth: PresencePart["auth"]; readonly ways: Ways; readonly log: Log };

/** Connects clients to auth, at the addresses that this host uses itself. */
export function wayToAuth({ auth, ways, log }: Ports): Auth {
  const tell = sayNowAndThen(log, "a connection to auth could not be passed on");
  return {
    isAskedFor: (name) => {
      const place = auth();
      return place !== undefined && (name === authServerName(place.cluster) || name === firstContactName);
    },
    connect: async (signal) => {
      try {
        return await connectAny({ addresses: auth()?.addresses ?? [], ways }, signal);
      } catch (thrown) {
        // A connection that its client gave up is no failure, so it is not logged.
        if (!signal.aborted) tell(thrown);
        throw thrown;
      }
    },
  };
}

type Reaching = { readonly addresses: NonNullable<ReturnType<Ports["auth"]>>["addresses"]; readonly ways: Ways };

async function connectAny({ addresses, ways }: Reaching, signal: AbortSignal): Promise<Socket> {
  const connectMs = Math.floor(longestConnectMs / addresses.length);
  const missed: Missed[] = [];
  for (const address of addresses) {
    const route = ways.routeOf(urlOf(address));
    try {
      return await openConnection(address, { ...ways, route, connectMs, signal });
    } catch (thrown) {
      signal.throwIfAborted();
      const fault = explainConnecting(thrown, { address, route });
      missed.push({ address, fault });
    }
  }
  throw noneReached(missed);
}
