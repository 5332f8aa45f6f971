import { secureConnector } from "../../machine/network/secure-connector.ts";
import type { Trust } from "../../machine/network/trust.ts";
import type { Route } from "../../rules/route/route.ts";

/** How auth reaches identity providers. */
export type Ways = { readonly routeOf: (url: URL) => Route; readonly trust: () => Trust | undefined };

type Sent = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly toString: () => string } | null | undefined;
  readonly signal?: AbortSignal | undefined;
};

const connectMs = 10_000;
const wholeMs = 10_000;
/** Enough: a large provider's keys have some 100 KiB. */
const mostBytes = 1024 * 1024;
const kept = ["content-type", "link"] as const;

/** Fetches by this cluster's routes and trust, with a deadline and a size limit. Follows no redirect. */
export function fetchOver({ routeOf, trust }: Ways): (url: string, sent: Sent) => Promise<Response> {
  return async (url, { method, headers, body, signal }) => {
    const { Agent, buildConnector, request } = await import("undici");
    const trusted = trust();
    const connect = buildConnector({ timeout: connectMs, allowH2: false, ...trusted?.connection });
    const dispatcher = new Agent({
      allowH2: false,
      connect: secureConnector(connect, { route: routeOf(new URL(url)), trust: trusted, connectMs }),
    });
    try {
      const answer = await request(url, {
        dispatcher,
        method: method as "GET",
        headers,
        body: body?.toString() ?? null,
        signal: AbortSignal.any([AbortSignal.timeout(wholeMs), ...(signal === undefined ? [] : [signal])]),
      });
      const pieces: Uint8Array[] = [];
      let length = 0;
      for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
        length += piece.length;
        if (length > mostBytes) throw new Error(`the answer is longer than ${mostBytes} bytes`);
        pieces.push(piece);
      }
      const bare = answer.statusCode === 204 || answer.statusCode === 304;
      return new Response(bare ? null : Buffer.concat(pieces), {
        status: answer.statusCode,
        headers: kept.flatMap((name) => {
          const value = answer.headers[name];
          return value === undefined ? [] : [[name, [value].flat().join(", ")]];
        }),
      });
    } finally {
      await dispatcher.destroy();
    }
  };
}
