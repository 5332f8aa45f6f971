import type { ChannelName } from "../../../rules/channel/path.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import type { Log } from "../../../machine/logging/log.ts";
import type { Heard } from "../../../rules/channel/heard.ts";
import type { UpstreamAnswer } from "../../server-rules/server-answer.ts";
import { nextAskMs } from "../../server-rules/refresh.ts";
import type { Endpoint } from "../../../rules/settings/settings.ts";
import type { AskedUpstream, AskUpstream, Before } from "./ask.ts";

/** The known state of one upstream, which a reload keeps. */
export type Upstream = {
  readonly url: Endpoint;
  answer: UpstreamAnswer | undefined;
  heard: Heard;
  failures: number;
  trouble: string | undefined;
};

export type KeepPorts = {
  readonly ask: (
    upstream: { readonly name: ChannelName; readonly url: Endpoint },
    before: Before,
    leaveAlone: AskUpstream["leaveAlone"],
  ) => Promise<AskedUpstream>;
  /** Called after each try, whatever its result. */
  readonly tell: (name: ChannelName, upstream: Upstream) => void;
  readonly wait: (ms: number) => Promise<void>;
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
};

/** Asks one upstream for ever, one request at a time, so its load does not depend on our clients. Its last answer stays when it fails. */
export async function keepAsking(name: ChannelName, upstream: Upstream, ports: KeepPorts): Promise<void> {
  while (!ports.signal.aborted) {
    let aloneMs: number | undefined;
    const leaveAlone = (ms: number): void => void (aloneMs = Math.max(ms, aloneMs ?? 0));
    try {
      const asked = await ports.ask({ name, url: upstream.url }, upstream, leaveAlone);
      note(name, upstream, { ...asked, log: ports.log });
    } catch (thrown) {
      if (ports.signal.aborted) return;
      failed(name, upstream, { thrown, aloneMs, log: ports.log });
    }
    ports.tell(name, upstream);
    await ports.wait(nextAskMs({ failures: upstream.failures, aloneMs }, ports.random()));
  }
}

/** Logs a result only if it differs from the last one. */
function note(
  name: ChannelName,
  upstream: Upstream,
  { answer, heard, uncertain, log }: AskedUpstream & { readonly log: Log },
): void {
  const told = (said: UpstreamAnswer | undefined): string =>
    said === undefined
      ? ""
      : `${said.served.kind === "none" ? "none" : said.served.version}${said.isCritical ? ", critical" : ""}`;
  if (told(upstream.answer) !== told(answer)) {
    const before = upstream.answer === undefined ? {} : { before: told(upstream.answer) };
    log("info", "a forwarded channel serves another version", { channel: name, serves: told(answer), ...before });
  } else if (upstream.failures > 0) log("notice", "the upstream answers again", { channel: name, failures: upstream.failures });
  if (uncertain !== undefined && upstream.trouble !== uncertain) {
    log("warning", "it is not known whether the upstream's version is critical", { channel: name, why: uncertain });
  }
  upstream.answer = answer;
  upstream.heard = heard;
  upstream.failures = 0;
  upstream.trouble = uncertain;
}

type Failure = { readonly thrown: unknown; readonly aloneMs: number | undefined; readonly log: Log };

function failed(name: ChannelName, upstream: Upstream, { thrown, aloneMs, log }: Failure): void {
  if (!(thrown instanceof Fault)) throw thrown;
  upstream.failures += 1;
  const level = upstream.trouble === thrown.message ? "debug" : "warning";
  const serves = upstream.answer === undefined ? "nothing" : "what it said last";
  const wants = aloneMs === undefined ? {} : { retry_after_seconds: Math.ceil(aloneMs / 1000) };
  log(level, "an upstream gives no version", { channel: name, serves, fault: thrown.code, why: thrown.message, ...wants });
  upstream.trouble = thrown.message;
}
