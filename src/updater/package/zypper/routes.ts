import { Fault } from "../../../rules/fault/fault.ts";
import { printProxy } from "../../../rules/route/proxy.ts";
import type { Proxy } from "../../../rules/route/proxy.ts";
import { routeFor, type ProxyVariables, type Route } from "../../../rules/route/route.ts";
import { curlRoutes } from "../rpm/routes.ts";
import { parseRepositories, type RepositoryFile } from "./repositories.ts";
import { mapUrls, sectionsOf, urlsOf, variable } from "./repository-text.ts";

/** Our routes for zypper. */
export type ZypperRoutes = {
  readonly env: Readonly<Record<string, string>>;
  /** Every repository file with the routes written into it; empty if the variables are enough. */
  readonly repositories: readonly RepositoryFile[];
};

export type RouteSources = {
  readonly files: readonly RepositoryFile[];
  /** The text of /etc/sysconfig/proxy. */
  readonly sysconfig: string;
};

/**
 * Gives zypper the same routes as the updater's own connections. Versions of zypper's libraries differ in whether the variables or /etc/sysconfig/proxy
 * win, and a proxy in a repository's own address wins over both. So if another proxy is set, ours is written into the repository's address. Other
 * addresses stay, because zypper rebuilds its caches when an address changes. If no variable covers a scheme, zypper's own configuration stays.
 */
export function zypperRoutes({ files, sysconfig }: RouteSources, variables: ProxyVariables): ZypperRoutes {
  const urls = files.flatMap(({ text }) => parseRepositories(text)).flatMap((repository) => repository.urls.map(written));
  const { ruled, rules, env } = curlRoutes(urls, variables);
  for (const url of urls.filter(rules)) requireTellable(routeFor(url, variables));
  const areVariablesEnough =
    !ruled.some((scheme) => namesProxy(sysconfig, scheme)) &&
    !files.some(({ text }) => sectionsOf(text).some((section) => urlsOf(section).some(rules) && hasOwnProxy(section)));
  if (areVariablesEnough) return { env, repositories: [] };
  const withRoutes = (section: string): string => routed(section, rules, variables);
  return { env, repositories: files.map(({ name, text }) => ({ name, text: sectionsOf(text).map(withRoutes).join("") })) };
}

/** Replaces each of the host's variables by a letter, so that the address can be parsed as a URL. */
function written(url: string): string {
  return url.replace(variable, "x");
}

function namesProxy(sysconfig: string, scheme: "http" | "https"): boolean {
  if (/^\s*PROXY_ENABLED=["']?no/m.test(sysconfig)) return false;
  return new RegExp(`^\\s*${scheme.toUpperCase()}_PROXY=["']?[^"'\\s]`, "m").test(sysconfig);
}

const proxyField = /^\s*proxy\s*=.*\n?/gm;
const proxyParameter = /^proxy(?:port|user|pass)?=/;

function hasOwnProxy(section: string): boolean {
  return (
    section !== section.replace(proxyField, "") ||
    urlsOf(section).some((url) => queryOf(url).some((part) => proxyParameter.test(part)))
  );
}

function routed(section: string, rules: (url: string) => boolean, variables: ProxyVariables): string {
  if (!urlsOf(section).some(rules)) return section;
  const through = (url: string): string => (rules(url) ? withRoute(url, routeFor(written(url), variables)) : url);
  return mapUrls(section.replace(proxyField, ""), through);
}

function withRoute(url: string, route: Route): string {
  const others = queryOf(url).filter((part) => !proxyParameter.test(part));
  // zypp reads this word as "no proxy", whatever else is set.
  const own = route.kind === "direct" ? ["proxy=_none_"] : parametersFor(route.proxy);
  return `${url.replace(/\?.*$/, "")}?${[...others, ...own].join("&")}`;
}

function queryOf(url: string): readonly string[] {
  const query = /\?(.*)$/.exec(url)?.[1] ?? "";
  return query === "" ? [] : query.split("&");
}

/** The password goes into `proxypass`, the only place where zypp hides a password that it prints. */
function parametersFor(proxy: Proxy): readonly string[] {
  const address = printProxy(proxy).replace(/:\d+$/, "");
  const { credentials, port } = proxy;
  return [
    `proxy=${encodeURIComponent(address)}`,
    `proxyport=${port}`,
    ...(credentials === undefined
      ? []
      : [`proxyuser=${encodeURIComponent(credentials.user)}`, `proxypass=${encodeURIComponent(credentials.password)}`]),
  ];
}

/** Refuses credentials that still look encoded after decoding, because zypp decodes an address two to four times. */
function requireTellable(route: Route): void {
  if (route.kind === "direct" || route.proxy.credentials === undefined) return;
  const { user, password } = route.proxy.credentials;
  if (!/%[0-9a-f]{2}/i.test(`${user}:${password}`)) return;
  throw new Fault("proxy-invalid", {
    message: `zypper cannot be told the user and password in ${route.rule}: one holds a percent sign before two hex digits, which zypper decodes once too often`,
    hint: "have the proxy know this host by another password",
  });
}
