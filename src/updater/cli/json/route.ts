import { printProxy } from "../../../rules/route/proxy.ts";
import type { Route } from "../../../rules/route/route.ts";
import { always, answer, line, sometimes } from "../../../rules/shape/answer.ts";
import { words } from "../../../rules/shape/shape.ts";

/** `svc-upgrade status` shows these keys too. */
export const routeKeys = {
  route: always(
    "the way",
    words({ direct: "without a proxy", proxy: "through an HTTP CONNECT proxy" }),
    ({ kind }: Route) => kind,
  ),
  proxy: sometimes("the proxy, without user and password; only where the route is proxy", line, (way: Route) =>
    way.kind === "proxy" ? printProxy(way.proxy) : undefined,
  ),
  rule: always("the rule that decided, and where it stands", line, ({ rule }: Route) => rule),
};

export const routeAnswer = answer<Route & { readonly url: string }>("The way to a URL: through a proxy, or not.")({
  url: always("where to, without user and password", line, ({ url }) => withoutCredentials(url)),
  ...routeKeys,
});

function withoutCredentials(text: string): string {
  const url = new URL(text);
  url.username = "";
  url.password = "";
  return url.href;
}
