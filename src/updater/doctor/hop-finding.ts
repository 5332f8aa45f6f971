import { ok, skipped, warning, type Finding } from "./check.ts";
import { channelUrl } from "../../rules/channel/path.ts";
import type { HopName } from "../record/probe.ts";
import { printProxy } from "../../rules/route/proxy.ts";
import { chainOf, describeCertificate } from "../../machine/network/certificate.ts";
import { printServer, printUrl, printWay } from "../../machine/network/hop.ts";
import type { HopsQuestion, Walk } from "./walk-hops.ts";
import { environmentFileOf } from "../../machine/network/what-to-type.ts";

/** Tells what a hop did, or why this route has no such hop. Undefined if the walk did not reach it. */
export function findingOf(name: HopName, walk: Walk, question: HopsQuestion): Finding | undefined {
  switch (name) {
    case "route":
      return routeFinding(walk, question.passedOver);
    case "proxy":
      return proxyFinding(walk);
    case "dns":
      return dnsFinding(walk);
    case "tls":
      return tlsFinding(walk);
    case "channel":
      return channelFinding(walk);
    case "answer":
      return answerFinding(walk, question);
  }
}

function routeFinding(walk: Walk, passedOver: readonly string[]): Finding {
  const told = `${printServer(walk.url)} is reached ${printWay(walk)}`;
  if (passedOver.length === 0) return ok(told);
  const entries = passedOver.map((entry) => `"${entry}"`).join(", ");
  return warning(
    `${told}; NO_PROXY holds what means nothing and is passed over: ${entries}`,
    `write names, .domains, addresses and netmasks, with commas between them, each with a :port if need be: \`sudoedit ${environmentFileOf(walk.route)}\`, the line NO_PROXY=`,
  );
}

function proxyFinding({ url, route, seen }: Walk): Finding | undefined {
  if (route.kind === "direct") return skipped("the way is direct");
  if (seen === undefined || seen.phase === "tunnelling") return undefined;
  const does =
    url.protocol === "https:" ? `has opened a tunnel to ${printServer(url)}` : `passes on questions to ${printServer(url)}`;
  return ok(`${printProxy(route.proxy)} ${does}`);
}

function dnsFinding({ url, route, seen }: Walk): Finding | undefined {
  if (route.kind === "proxy") return skipped(`the proxy resolves ${url.hostname}`);
  if (seen === undefined || seen.phase === "resolving") return undefined;
  if (seen.addresses.length === 0) return skipped(`${url.hostname} is an address`);
  return ok(`${url.hostname} is ${seen.addresses.slice(0, mostAddresses).join(", ")}`);
}

/** A name may have dozens of addresses. */
const mostAddresses = 4;

function tlsFinding({ url, seen }: Walk): Finding | undefined {
  if (url.protocol === "http:") return skipped("plain http shows no certificate");
  const chain = chainOf(seen?.certificate);
  const [own] = chain;
  if (own === undefined) return undefined;
  const told = `${printServer(url)} shows ${describeCertificate(own)} (${seen?.protocol})`;
  const now = Date.now();
  const ending = chain.find(({ validToDate }) => validToDate.getTime() > now && validToDate.getTime() - now < soonMs);
  if (ending === undefined) return ok(told);
  const which = ending === own ? "it" : describeCertificate(ending);
  return warning(
    `${told}; ${which} ends on ${ending.validToDate.toISOString().slice(0, 10)}`,
    `have it renewed before that day: \`openssl s_client -connect ${printServer(url)} -showcerts\` shows it`,
  );
}

/** Programs renew a certificate a month before its end, so if only two weeks are left, something prevents that. */
const soonMs: number = 14 * 24 * 60 * 60 * 1000;

function channelFinding({ url, seen, last }: Walk): Finding | undefined {
  if (seen?.status === undefined || last?.seen.status === undefined) return undefined;
  const told = `${printUrl(url)} answers with status ${seen.status}`;
  return ok(last.hop.url.href === url.href ? told : `${told}, and ${printUrl(last.hop.url)} with ${last.seen.status}`);
}

function answerFinding({ answer, warnings }: Walk, { endpoint, channel }: HopsQuestion): Finding | undefined {
  if (answer.kind === "fault") return undefined;
  if (answer.served.kind === "none") return ok(`channel ${channel} serves none: nothing moves until it serves a version`);
  const told = `channel ${channel} serves ${answer.served.version}`;
  if (warnings.length === 0) return ok(`${told}, ${tellUrgency(answer)}`);
  const fix = `see what it answers: \`curl -v ${channelUrl(endpoint, channel, "critical")}\``;
  return warning(`${told}; ${warnings.join("; ")}`, fix);
}

function tellUrgency({ isCritical, doubt }: Extract<Walk["answer"], { kind: "served" }>): string {
  if (doubt === undefined) return isCritical ? "critical" : "not critical";
  return doubt.kind === "unnamed"
    ? "called critical by a server that does not say which version it means: two passes in a row have to hear it"
    : "called critical, but its answers do not belong together";
}
