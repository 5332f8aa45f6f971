import { call } from "../api/call.ts";
import { isForPeople } from "../api/for-people.ts";
import type { Transport } from "../api/transport.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { Relay } from "../../proxy/server/relay.ts";
import { sayNowAndThen } from "./say-now-and-then.ts";

/** Enough for a full page of a large list. */
const mostAnswerBytes = 32 * 1024 * 1024;

type Ports = { readonly transport: () => Transport | undefined; readonly log: Log };

/** Passes people's calls on to auth, with the certificate of this host's proxy. */
export function relayOver({ transport, log }: Ports): Relay {
  const tell = sayNowAndThen(log, "a call of somebody's could not be handed on to auth");
  const tellVisit = sayNowAndThen(log, "a browser's sign-in could not be handed on to auth");
  return {
    isForPeople,
    visit: async ({ path, query, cookie, address, signal }) => {
      try {
        const over = transport();
        if (over === undefined) throw notJoined();
        const request = { path, query, cookie, address };
        const answer = await call(over, { method: "SessionService/VisitSignIn", request }, { stopping: signal });
        return {
          status: answer.status ?? 503,
          location: answer.location ?? "",
          cookie: answer.cookie ?? "",
          page: answer.page ?? "",
          isCrossSite: answer.crossSite ?? false,
        };
      } catch (thrown) {
        tellVisit(thrown);
        throw thrown;
      }
    },
    post: async ({ path, body, headers, signal }) => {
      const over = transport();
      try {
        if (over === undefined) throw notJoined();
        const answer = await over.post({ path, contentType: "application/json", body, headers, signal });
        const { status, contentType, retryAfter, date } = answer;
        return { status, contentType, retryAfter, date, body: await whole(answer.body) };
      } catch (thrown) {
        // A call that its client gave up is no failure, so it is not logged.
        if (!signal.aborted || isTimeout(signal)) tell(over?.explain(thrown) ?? thrown);
        throw thrown;
      }
    },
  };
}

function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === "TimeoutError";
}

function notJoined(): Fault {
  return new Fault("not-joined", {
    message: "this proxy belongs to no cluster, and has no auth to hand calls on to",
    hint: "`svc join --auth-server HOST:PORT --token FILE --ca-pin PIN`, with what `tctl tokens add --type=proxy` shows",
  });
}

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const found: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > mostAnswerBytes) throw new Error(`auth answered with more than ${mostAnswerBytes} bytes`);
    found.push(piece);
  }
  return Buffer.concat(found);
}
