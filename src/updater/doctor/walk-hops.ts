import { channelUrl } from "../../rules/channel/path.ts";
import { faultData } from "../../rules/fault/explain.ts";
import { Fault, type FaultData } from "../../rules/fault/fault.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import type { HopName } from "../record/probe.ts";
import type { Route } from "../../rules/route/route.ts";
import { askChannel, type AskPorts, type ChannelQuestion } from "../../machine/network/ask-channel.ts";
import type { HopExchange, SeenOnWay } from "../../machine/network/hop.ts";
import { loadTrust } from "../../machine/network/trust.ts";

export type HopsQuestion = ChannelQuestion & {
  /** Entries of NO_PROXY that mean nothing. */
  readonly passedOver: readonly string[];
};

/** One question to the channel, and what was seen on the way. */
export type Walk = {
  readonly url: URL;
  readonly route: Route;
  /** What the last try saw of the endpoint; undefined if nothing was sent. */
  readonly seen: SeenOnWay | undefined;
  /** The last exchange about the version. After a redirect, it went to another server than the endpoint. */
  readonly last: HopExchange | undefined;
  /** The hops that do not work, and why. Nothing behind the first of them was tried. */
  readonly broken: ReadonlyMap<HopName, FaultData>;
  /** The question's own warnings. */
  readonly warnings: readonly string[];
  readonly answer: ChannelAnswer;
};

export type WalkScope = { readonly question: HopsQuestion; readonly route: Route; readonly ports: AskPorts };

/**
 * Short, because somebody waits at a terminal. Each try has a pass's deadlines: 10 seconds until the server answers, with name server, proxy and
 * handshake.
 */
const longestWalkMs = 30_000;

/** Asks what a pass asks, in the same way, and watches each hop. */
export async function walk(url: URL, way: WalkScope): Promise<Walk> {
  const { question, route, ports } = way;
  const needing = hopThatNeedsTrust(url, route);
  const distrust = needing === undefined ? undefined : faultOf(() => loadTrust(question.caFile, ports.systemStores));
  if (needing === undefined || distrust === undefined) return watchedWalk(url, way);
  const answer: ChannelAnswer = { kind: "fault", fault: distrust };
  const broken = new Map([[needing, distrust]]);
  if (needing === "proxy") return { url, route, seen: undefined, last: undefined, broken, warnings: [], answer };
  // Checks the hops without an unusable ca_file too, because it must not hide earlier faults. That answer is not used.
  const walked = await watchedWalk(url, { ...way, question: { ...question, caFile: undefined } });
  return { ...walked, broken: new Map([...walked.broken, ...broken]), answer };
}

async function watchedWalk(url: URL, { question, route, ports }: WalkScope): Promise<Walk> {
  const exchanges: HopExchange[] = [];
  const warnings: string[] = [];
  const answer = await askChannel(
    // Also asks whether the version is critical, to check that answer.
    { ...question, asksCritical: "always" },
    {
      ...ports,
      longestMs: longestWalkMs,
      watch: (exchange) => void exchanges.push(exchange),
      log: (level, sentence, fields) => {
        ports.log(level, sentence, fields);
        if (level === "warning")
          warnings.push(fields?.["why"] === undefined ? sentence : `${sentence}: ${String(fields["why"])}`);
      },
    },
  );
  const critical = channelUrl(question.endpoint, question.channel, "critical");
  const end = exchanges.findIndex(({ hop }) => hop.url.href === critical);
  const asked = end < 0 ? exchanges : exchanges.slice(0, end);
  const last = asked.at(-1);
  const seen = asked.findLast(({ hop }) => hop.url.href === url.href)?.seen;
  const broken = new Map(answer.kind === "fault" ? [[brokenHop(answer.fault, url, last), answer.fault]] : []);
  return { url, route, seen, last, broken, warnings, answer };
}

/** The hop where the question ended. */
function brokenHop({ code }: FaultData, url: URL, last: HopExchange | undefined): HopName {
  if (code === "trust-store-missing") return "tls";
  if (last === undefined) return "channel";
  const { phase, status } = last.seen;
  if (code === "answer-invalid" && status === 200) return "answer";
  // A redirect led further, so the endpoint's own hops work.
  if (last.hop.url.href !== url.href) return "channel";
  if (phase === "tunnelling" || code === "proxy-refused" || code === "proxy-unreachable") return "proxy";
  if (phase === "resolving") return "dns";
  return code === "tls-untrusted" || (phase === "connecting" && url.protocol === "https:") ? "tls" : "channel";
}

function hopThatNeedsTrust(url: URL, route: Route): "proxy" | "tls" | undefined {
  if (route.kind === "proxy" && route.proxy.scheme === "https") return "proxy";
  return url.protocol === "https:" ? "tls" : undefined;
}

function faultOf(work: () => unknown): FaultData | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Fault) return faultData(thrown);
    throw thrown;
  }
}
