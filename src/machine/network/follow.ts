import type { Route } from "../../rules/route/route.ts";
import { isPlainHttpAbroad } from "../../rules/settings/endpoint.ts";
import { plainRedirect, redirectOf, tooManyRedirects } from "./redirect.ts";

export type RoutedUrl = { readonly url: URL; readonly route: Route };

export type FollowingRedirects = { readonly routeOf: (url: string) => Route; readonly plainHttp: "loopback-only" | "allowed" };

type Located = { readonly status: number; readonly location: string | undefined };

/** Enough: from http to https, to the right host, to the right path. */
const mostRedirects = 3;

/** Asks and follows redirects. Every hop takes the route of its own URL. */
export async function follow<Answer extends Located>(
  start: URL,
  { routeOf, plainHttp }: FollowingRedirects,
  exchange: (way: RoutedUrl) => Promise<Answer>,
): Promise<RoutedUrl & { readonly answer: Answer }> {
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const way = { url, route: routeOf(url.href) };
    const answer = await exchange(way);
    const next = redirectOf(url, answer);
    if (next === undefined) return { ...way, answer };
    if (redirects === mostRedirects) throw tooManyRedirects(url, mostRedirects);
    if (plainHttp === "loopback-only" && isPlainHttpAbroad(next)) throw plainRedirect(url, next);
    url = next;
  }
}
