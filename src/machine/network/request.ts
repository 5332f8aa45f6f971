import type { LookupFunction } from "node:net";
import { Fault } from "../../rules/fault/fault.ts";
import { monotonicMs } from "../clocks/monotonic.ts";
import type { Route } from "../../rules/route/route.ts";
import { isPlainHttpAbroad } from "../../rules/settings/endpoint.ts";
import { exchange, type Exchanged, type ExchangedWithHeaders } from "./exchange.ts";
import { follow, type FollowingRedirects, type RoutedUrl } from "./follow.ts";
import type { Hop } from "./hop.ts";
import type { Trust } from "./trust.ts";
import { allowPlainHttp } from "./what-to-type.ts";

export type WantedAnswer = {
  readonly url: string;
  /** A longer body is cut here and not read further. */
  readonly longestBody: number;
  /** Sent only to the origin of `url`. A redirect to another one does not get them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

export type RequestOptions = FollowingRedirects & {
  /** Called only for TLS; every call returns the same. */
  readonly trust: () => Trust;
  readonly connectMs?: number | undefined;
  /** The time for all hops together, up to the last byte. */
  readonly wholeMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Resolves names; the system's way by default. */
  readonly lookup?: LookupFunction | undefined;
  readonly watch?: Hop["watch"];
};

export type Response = Omit<Exchanged, "location"> & {
  /** Where the answer came from after redirects, and its route. */
  readonly url: URL;
  readonly route: Route;
};

/** Long enough for a handshake over the slowest links, which takes three seconds. A slower host counts as absent. */
export const longestConnectMs = 10_000;
/** Enough time for a body of one kilobyte. */
export const longestWholeMs = 30_000;
/**
 * Asks a version server, for all our programs: a GET with limits of time, size and redirects. Every hop takes the route of its own URL. The caller
 * judges statuses; a missing answer is a Fault.
 */
export async function request(wanted: WantedAnswer, options: RequestOptions): Promise<Response> {
  const startedMs = monotonicMs();
  const wholeMs = options.wholeMs ?? longestWholeMs;
  const start = new URL(wanted.url);
  if (options.plainHttp === "loopback-only" && isPlainHttpAbroad(start)) throw plainEndpoint(start);
  const { answer, url, route } = await follow(start, options, (way): Promise<ExchangedWithHeaders> =>
    exchange({
      ...way,
      headers: way.url.origin === start.origin ? wanted.headers : undefined,
      trust: speaksTls(way) ? options.trust() : undefined,
      longestBody: wanted.longestBody,
      connectMs: options.connectMs ?? longestConnectMs,
      wholeMs: Math.max(0, wholeMs - (monotonicMs() - startedMs)),
      signal: options.signal,
      lookup: options.lookup,
      watch: options.watch,
    }),
  );
  const { location: _, headers: __, ...response } = answer;
  return { ...response, url, route };
}

function speaksTls({ url, route }: RoutedUrl): boolean {
  return url.protocol === "https:" || (route.kind === "proxy" && route.proxy.scheme === "https");
}

/** Anyone on the way can change plain http, so leaving the host with it has to be allowed explicitly. */
function plainEndpoint(url: URL): Fault {
  return new Fault("settings-invalid", {
    message: `the endpoint ${url.origin} is plain http and not on this host, so anyone on the way could change the answer`,
    hint: `set \`endpoint\` to an https URL, or ${allowPlainHttp}`,
  });
}
