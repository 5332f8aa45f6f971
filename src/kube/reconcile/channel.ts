import { hear, hearAgreement, type Heard } from "../../rules/channel/heard.ts";
import type { HostId } from "../../rules/channel/asking-host.ts";
import type { ClockVerdict } from "../../rules/decide/clock-verdict.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import type { Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { askChannel, type AskPorts } from "../../machine/network/ask-channel.ts";
import { objectId } from "../../machine/files/host-id.ts";
import type { UpdaterSettings } from "../objects/settings.ts";

/** Two equal answers within this time count as one. */
const countedEverySeconds = 600;

export type Asking = {
  readonly installed: Version | undefined;
  readonly now: UnixSeconds;
  readonly clock: ClockVerdict;
  /** The object's uid; undefined if it is not seen. */
  readonly uid: string | undefined;
};

/** Asks the channel. Returns its answer, and the memory with this answer in it. */
export type Channel = (asking: Asking, heard: Heard) => Promise<{ readonly answer: ChannelAnswer; readonly heard: Heard }>;

type Answered = { readonly answer: ChannelAnswer; readonly atMs: number };

/**
 * Makes the channels of objects. Asks a channel at most once within `deadlines.ask`, however many objects follow it, but once for each object if the
 * channel asks for names. `isShared`: several objects may follow it.
 */
export function channelOpener(ports: AskPorts, isShared: (channel: string) => boolean): (settings: UpdaterSettings) => Channel {
  const asks = new Map<string, Ask>();
  return (settings) => {
    const { channel } = settings;
    const ask = asks.get(channel) ?? openAsk(settings, { ports, isShared: isShared(channel) });
    asks.set(channel, ask);
    return channelOf(settings, ask);
  };
}

/** Asks for an object with this name, on which this version is installed. */
type Ask = (installed: Version | undefined, name: HostId | undefined) => Promise<Answered>;

type Opening = { readonly ports: AskPorts; readonly isShared: boolean };

function openAsk(settings: UpdaterSettings, { ports, isShared }: Opening): Ask {
  const { endpoint, channel, caFile, allowPlainHttp, deadlines } = settings;
  const answers = new Map<HostId | undefined, Answered>();
  let isByName = false;
  const ask: Ask = async (installed, name) => {
    const whose = isByName ? name : undefined;
    const last = answers.get(whose);
    if (last !== undefined && ports.monotonicMs() - last.atMs < deadlines.ask * 1000) return last;
    let wasAskedForName = false;
    const ownName = (): Promise<HostId | undefined> => {
      wasAskedForName = true;
      return Promise.resolve(whose);
    };
    // Without an installed version, the channel is always asked whether its version is critical: objects that share it may run different ones.
    const known = Promise.resolve(isShared && whose === undefined ? undefined : installed);
    const answer = await askChannel({ endpoint, channel, caFile, allowPlainHttp, installed: known }, { ...ports, ownName });
    const wasByName = isByName;
    if (answer.kind === "served") isByName = wasAskedForName;
    if (isByName && !wasByName && name !== undefined) return ask(installed, name);
    const answered = { answer, atMs: ports.monotonicMs() };
    answers.set(isByName ? name : undefined, answered);
    return answered;
  };
  return ask;
}

/** Counts each object's answers by themselves. */
function channelOf({ channel, object }: UpdaterSettings, ask: Ask): Channel {
  let last: Answered | undefined;
  let counted: { readonly words: string; readonly atMs: number } | undefined;
  return async ({ installed, now, clock, uid }, heard) => {
    const answered = await ask(installed, uid === undefined ? heard.askedAs : objectId(object, uid));
    const { answer, atMs } = answered;
    const isKnown = answered === last;
    last = answered;
    if (answer.kind === "fault") return { answer, heard };
    const words = JSON.stringify(answer);
    const isCounted = isKnown || (counted?.words === words && atMs - counted.atMs < countedEverySeconds * 1000);
    // A new record has counted no answer of this channel.
    if (isCounted && heard.channel === channel) return { answer, heard };
    counted = { words, atMs };
    const news = { channel, ...answer };
    return { answer, heard: clock.kind === "wrong" ? hearAgreement(heard, news) : hear(heard, news, now) };
  };
}
