import { hear, hearAgreement, type Heard } from "../../rules/channel/heard.ts";
import type { ClockVerdict } from "../../rules/decide/clock-verdict.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { askChannel, type AskPorts } from "../../machine/network/ask-channel.ts";
import type { UpdaterSettings } from "../objects/settings.ts";

/** Of an unchanged version: two answers within this time are no two passes that agree. */
const countedEverySeconds = 600;

export type Asking = { readonly installed: Version | undefined; readonly now: UnixSeconds; readonly clock: ClockVerdict };

/** The channel's answer, and what is remembered with it counted in. */
export type Channel = (asking: Asking, heard: Heard) => Promise<{ readonly answer: ChannelAnswer; readonly heard: Heard }>;

/** A channel that is asked at most once within `deadlines.ask`, however often somebody looks. */
export function openChannel(settings: UpdaterSettings, ports: AskPorts): Channel {
  const { endpoint, channel, caFile, allowPlainHttp, deadlines } = settings;
  let last: { readonly answer: ChannelAnswer; readonly atMs: number } | undefined;
  let counted: { readonly answer: string; readonly atMs: number } | undefined;
  return async ({ installed, now, clock }, heard) => {
    const atMs = ports.monotonicMs();
    if (last !== undefined && atMs - last.atMs < deadlines.ask * 1000) return { answer: last.answer, heard };
    const question = { endpoint, channel, caFile, allowPlainHttp, installed: Promise.resolve(installed) };
    const answer = await askChannel(question, ports);
    last = { answer, atMs };
    if (answer.kind === "fault") return { answer, heard };
    const words = JSON.stringify(answer);
    if (counted?.answer === words && atMs - counted.atMs < countedEverySeconds * 1000) return { answer, heard };
    counted = { answer: words, atMs };
    const answered = { channel, ...answer };
    return { answer, heard: clock.kind === "wrong" ? hearAgreement(heard, answered) : hear(heard, answered, now) };
  };
}
