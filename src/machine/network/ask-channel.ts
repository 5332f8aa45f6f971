import type { Served } from "../../rules/channel/answer.ts";
import type { HostId } from "../../rules/channel/asking-host.ts";
import type { DecisionNumber } from "../../rules/channel/decision-number.ts";
import type { ChannelsDigest } from "../../rules/channel/digest.ts";
import { channelUrl, type ChannelName } from "../../rules/channel/path.ts";
import { faultData } from "../../rules/fault/explain.ts";
import { Fault, type FaultData } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Log } from "../logging/log.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import type { Endpoint } from "../../rules/settings/settings.ts";
import { compareVersions, type Version } from "../../rules/version/version.ts";
import type { Asker, ByName } from "./ask-by-name.ts";
import { askCritical, servedIn, type Ask, type Urgency } from "./ask-critical.ts";
import { longestWholeMs, request, type RequestOptions, type Response } from "./request.ts";
import { retrying, type RetryPorts } from "./retry.ts";
import { loadTrust } from "./trust.ts";

export type ChannelQuestion = {
  readonly endpoint: Endpoint;
  readonly channel: ChannelName;
  readonly caFile: string | undefined;
  readonly allowPlainHttp: boolean;
  /** May still be pending: it is awaited only once the served version is known. */
  readonly installed: Promise<Version | undefined>;
  /** "always": asks about the installed version too. */
  readonly asksCritical?: "always" | undefined;
};

export type AskPorts = Omit<RetryPorts, "onRetry"> &
  Pick<RequestOptions, "routeOf" | "lookup" | "connectMs" | "wholeMs" | "watch"> & {
    readonly log: Log;
    /** The deadline of both questions together; `longestAskMs` by default. */
    readonly longestMs?: number | undefined;
    /** The asker's name, for a channel that answers each host by its name; undefined if it has none. Called only if the channel asks for it. */
    readonly ownName?: Asker["ownName"];
    /** Where to look for the system's certificate stores; by default where distributions keep them. */
    readonly systemStores?: readonly string[] | undefined;
  };

/** Covers both questions with all retries and waits. The units and the deciding side wait longer. */
export const longestAskMs = 60_000;

/** Asks the channel for its version. Returns every network failure as a fault, and throws none. */
export const longestAnswerBytes = 1024;

/** Asks for the channel's version. Returns every network failure as a fault and throws none. */
export async function askChannel(question: ChannelQuestion, ports: AskPorts): Promise<ChannelAnswer> {
  // If nothing is served, nobody awaits it; another caller reports its failure.
  question.installed.catch(() => undefined);
  const asking = asker(question, ports);
  let ask = asking();
  let named: Named;
  try {
    const first = await ask("version");
    const by = first.status === 200 && first.asksHost ? await nameFor(first, { ...question, ownName: ports.ownName }) : undefined;
    if (by !== undefined) ask = asking(by);
    named = { ...(await namedIn(by === undefined ? first : await ask("version"))), askedAs: by?.host };
  } catch (error) {
    return asAnswer(error);
  }
  const { served } = named;
  if (named.isUnconfirmed === true || served.kind === "none") return { kind: "served", ...named, isCritical: false };
  const installed = await question.installed;
  const isThere = installed !== undefined && compareVersions(installed, served.version) === 0;
  if (isThere && question.asksCritical !== "always") return { kind: "served", ...named, isCritical: false };
  try {
    const urgency = await askUrgency(named, ask, ports.log);
    const doubt = urgency.kind === "doubted" ? { doubt: urgency.doubt } : {};
    return { kind: "served", ...named, isCritical: urgency.kind === "named", ...doubt };
  } catch (error) {
    return asAnswer(error);
  }
}

/** Makes functions that ask. All their questions have one deadline. */
function asker(question: ChannelQuestion, ports: AskPorts): (by?: ByName) => Ask {
  const untilMs = ports.monotonicMs() + (ports.longestMs ?? longestAskMs);
  let trust: ReturnType<typeof loadTrust> | undefined;
  const options: RequestOptions = {
    ...ports,
    trust: () => (trust ??= loadTrust(question.caFile, ports.systemStores)),
    plainHttp: question.allowPlainHttp ? "allowed" : "loopback-only",
  };
  return (by) => async (about, time) => {
    const url = channelUrl(question.endpoint, question.channel, about);
    const mark = time === undefined ? "" : `?again=${Math.floor(ports.random() * 1e9)}`;
    const wanted = { url: `${url}${mark}`, longestBody: longestAnswerBytes, headers: by?.headers };
    const attempt = (): Promise<Response> => {
      const leftMs = Math.max(0, untilMs - ports.monotonicMs());
      return request(wanted, { ...options, wholeMs: Math.min(ports.wholeMs ?? longestWholeMs, leftMs) });
    };
    const onRetry: RetryPorts["onRetry"] = ({ tried, waitMs, why }) =>
      ports.log("info", "asking the version server again", { tried, wait: `${waitMs} ms`, why });
    const response = await retrying(attempt, untilMs, { ...ports, onRetry });
    by?.judge(response);
    return response;
  };
}

type Named = {
  readonly served: Served;
  readonly channels: ChannelsDigest | undefined;
  readonly decision: DecisionNumber | undefined;
  readonly isUnconfirmed: true | undefined;
  /** The name that the answer was made for. */
  readonly askedAs: HostId | undefined;
};

/** Loads the code only if a channel asks for a name, which most never do. */
async function nameFor(first: Response, by: Asker): Promise<ByName | undefined> {
  const { byName } = await import("./ask-by-name.ts");
  return byName(first, by);
}

async function namedIn(response: Response): Promise<Omit<Named, "askedAs">> {
  const { channels, decision, isUnconfirmed } = response;
  return { served: await servedIn(response), channels, decision, isUnconfirmed };
}

/** Whether the update is critical. Without a clear answer it counts as not critical. */
async function askUrgency(named: Named, ask: Ask, log: Log): Promise<Urgency> {
  try {
    return await askCritical(named, ask);
  } catch (error) {
    if (!(error instanceof Fault) || error.code === "stopping") throw error;
    log("warning", "it is not known whether the update is critical, so it is taken as not critical", { why: error.message });
    return { kind: "no" };
  }
}

function asAnswer(error: unknown): ChannelAnswer {
  if (!(error instanceof Fault)) throw error;
  return { kind: "fault", fault: shortened(faultData(error)) };
}

/** Shortens a fault: the answer crosses to another process in a file of 4 KiB, and a certificate's error may quote a hundred names. */
function shortened(data: FaultData): FaultData {
  return {
    code: data.code,
    message: quote(data.message, longestMessage),
    hint: quote(data.hint, longestMessage),
    causes: data.causes.slice(0, mostCauses).map((cause) => quote(cause, longestCause)),
  };
}

const longestMessage = 1000;
const mostCauses = 3;
const longestCause = 200;
