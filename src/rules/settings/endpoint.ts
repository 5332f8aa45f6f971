import { quote } from "../text/quote.ts";
import { parseHost, isLoopback, targetOf } from "../route/host.ts";
import { accepted, describe, refused, refusedAs, type SettingReading } from "../shape/reading.ts";
import type { Endpoint } from "./settings.ts";

/** Longer than real names and paths. It has to fit into the request to the asking unit, with everything else. */
const longestEndpoint = 1024;

/** An http or https base URL. Plain http is judged after the merge. */
export function readEndpoint(raw: unknown): SettingReading<Endpoint> {
  if (typeof raw !== "string") return refused(raw);
  // Shows no text with these characters, because a secret may stand around them.
  for (const [sign, what] of secretSigns) {
    if (raw.includes(sign)) return refusedAs([{ at: "", found: `a text with ${what} (not shown)` }]);
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(raw)) return withoutScheme(raw);
  const url = /^https?:\/\/[^/]/i.test(raw) && !forgiven.test(raw) ? URL.parse(raw) : null;
  if (url === null || targetOf(url) === undefined || url.port === "0") return refused(raw);
  const endpoint = `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, "")}`;
  if (endpoint.length > longestEndpoint) {
    return refusedAs([
      {
        at: "",
        found: `a text of ${endpoint.length} characters`,
        allowed: `a base URL of at most ${longestEndpoint} characters`,
      },
    ]);
  }
  return accepted(endpoint as Endpoint);
}

/** Whether others on the network can read the requests to an endpoint. */
export function isPlainHttpAbroad(endpoint: Endpoint | URL): boolean {
  const url = new URL(endpoint);
  const target = targetOf(url);
  return url.protocol === "http:" && (target === undefined || !isLoopback(target.host));
}

const secretSigns = [
  ["@", "credentials"],
  ["?", "a query"],
  ["#", "a fragment"],
] as const;

/** Characters that URL drops or reads as a slash. */
// oxlint-disable-next-line no-control-regex -- control characters at either end are among it
const forgiven = /[\s\\\u0000-\u001f\u007f]/;

function withoutScheme(raw: string): SettingReading<never> {
  const host = /^\[?([^/[\]]*?)\]?(?::\d+)?(?:\/|$)/.exec(raw)?.[1] ?? "";
  if (parseHost(host) === undefined) return refused(raw);
  return refusedAs([
    { at: "", found: `${describe(raw)}, which has no scheme`, allowed: `a base URL, perhaps https://${quote(raw)}` },
  ]);
}
