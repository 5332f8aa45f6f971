import type { ChannelName } from "../../rules/channel/path.ts";
import { channelAnswer, pingAnswer, refusal, type UpstreamAnswer } from "../server-rules/server-answer.ts";
import { askedBy, channelTargets, type Question, pingTarget } from "../server-rules/asked.ts";
import { canonicalChannels } from "../server-rules/canonical.ts";
import type { Channel, Configuration } from "../server-rules/configuration.ts";
import { refusals, type RefusedAnswer } from "../server-rules/refusal.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Meter } from "./meter.ts";
import type { Words } from "../server-rules/decided.ts";
import { hostsAnswered, type AnswerHost, type IsUnconfirmed } from "./decided-answers.ts";
import { prepare, sha256, type PreparedServer } from "./prepared.ts";

/** The answer for one target, or the wait for the first answer. */
export type Slot = {
  answer: PreparedServer | undefined;
  /** Replaces that answer while the channel has a rollout. */
  decided: AnswerHost | undefined;
  readonly first: Promise<void>;
};

const questions = ["version", "critical"] as const satisfies readonly Question[];

type OfCluster = {
  readonly isUnconfirmed?: IsUnconfirmed | undefined;
  readonly isWaiting?: (() => boolean) | undefined;
};

const never = (): boolean => false;

type Waiting = { readonly promise: Promise<void>; readonly resolve: () => void };

/** All answers of a configuration, under all their targets. */
export class Answers {
  readonly digest: string;
  readonly #slots = new Map<string, Slot>();
  readonly #waiting = new Map<ChannelName, Waiting>();
  readonly #refused = new Map<string, PreparedServer>();
  /** What each channel serves by the configuration, in the words of its answer. */
  readonly #served = new Map<ChannelName, string>();
  /** Targets of channels that the configuration does not have, but auth's words do. */
  #foreign: readonly string[] = [];
  readonly #channels: Configuration["channels"];
  readonly #meter: Meter;
  /** Whether auth may have decided about channels. */
  readonly isOfCluster: boolean;
  readonly isUnconfirmed: IsUnconfirmed;
  /** True if auth has sent no words yet, and they may differ from the configuration. */
  readonly isWaiting: () => boolean;

  constructor(configuration: Configuration, meter: Meter, ofCluster: OfCluster = {}) {
    const { isUnconfirmed = never, isWaiting = never } = ofCluster;
    this.isOfCluster = ofCluster.isUnconfirmed !== undefined;
    this.isUnconfirmed = isUnconfirmed;
    this.isWaiting = isWaiting;
    this.#channels = configuration.channels;
    this.#meter = meter;
    this.digest = digestOf(configuration);
    this.#put(pingTarget, this.#prepare("ping", pingAnswer(configuration)));
    for (const [name, channel] of configuration.channels) {
      if (channel.kind === "forwarded") this.#waiting.set(name, Promise.withResolvers<void>());
      this.#fill(name, channel, { upstream: undefined, now: 0 });
    }
  }

  /** Finds a target in the usual spelling by one lookup. Parses any other spelling, which may mean the same. */
  find(target: string): Slot | RefusedAnswer {
    if (this.isWaiting() && askedBy(target).kind === "channel") return refusals.decisionsUnknown;
    const slot = this.#slots.get(target);
    if (slot !== undefined) return slot;
    const asked = askedBy(target);
    if (asked.kind === "refused") return asked;
    const [canonical = ""] = asked.kind === "ping" ? [pingTarget] : channelTargets(asked.channel, asked.question);
    return this.#slots.get(canonical) ?? refusals.channelUnknown;
  }

  refused(refused: RefusedAnswer): PreparedServer {
    const known = this.#refused.get(refused.code);
    if (known !== undefined) return known;
    const prepared = this.#prepare("", refusal(refused));
    this.#refused.set(refused.code, prepared);
    return prepared;
  }

  /** Sets an upstream's answer, or undefined if it failed (again). Requests no longer wait for it. */
  tell(name: ChannelName, upstream: UpstreamAnswer | undefined, now: UnixSeconds): void {
    const channel = this.#channels.get(name);
    if (channel === undefined) return;
    const waiting = this.#waiting.get(name);
    this.#waiting.delete(name);
    this.#fill(name, channel, { upstream, now });
    waiting?.resolve();
  }

  /** Lets auth's words replace the configuration's answers. They may have channels that the configuration does not have. */
  decide(words: Words): void {
    for (const target of this.#foreign) this.#slots.delete(target);
    for (const slot of this.#slots.values()) slot.decided = undefined;
    const foreign: string[] = [];
    const preparing = { meter: this.#meter, digest: this.digest, isUnconfirmed: this.isUnconfirmed };
    for (const word of words.words) {
      const answering = hostsAnswered(word, words, { ...preparing, channel: word.channel });
      for (const question of questions) {
        const decided = answering(question);
        for (const target of channelTargets(word.channel, question)) {
          const slot = this.#slots.get(target);
          if (slot !== undefined) slot.decided = decided;
          else {
            foreign.push(target);
            this.#slots.set(target, { answer: undefined, decided, first: Promise.resolve() });
          }
        }
      }
    }
    this.#foreign = foreign;
  }

  /** What the configuration serves, for each channel whose answer is known. */
  served(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#served);
  }

  /** Wakes waiting requests after a reload. They look for their answer in the new configuration. */
  retire(): void {
    for (const { resolve } of this.#waiting.values()) resolve();
    this.#waiting.clear();
  }

  #fill(
    name: ChannelName,
    channel: Channel,
    { upstream, now }: { upstream: UpstreamAnswer | undefined; now: UnixSeconds },
  ): void {
    for (const question of questions) {
      const waiting = this.#waiting.get(name);
      const found = channelAnswer(question, { channel, upstream }, now);
      if (found.names === undefined) this.#served.delete(name);
      else this.#served.set(name, found.names);
      const answer = this.#prepare(name, found);
      for (const target of channelTargets(name, question)) {
        const slot = this.#slots.get(target);
        if (slot !== undefined) slot.answer = answer;
        else if (waiting === undefined) this.#put(target, answer);
        else this.#slots.set(target, { answer: undefined, decided: undefined, first: waiting.promise });
      }
    }
  }

  #put(target: string, answer: PreparedServer): void {
    this.#slots.set(target, { answer, decided: undefined, first: Promise.resolve() });
  }

  #prepare(channel: string, answer: Parameters<typeof prepare>[0]): PreparedServer {
    return prepare(answer, { meter: this.#meter, channel, digest: this.digest });
  }
}

export function digestOf({ channels }: Pick<Configuration, "channels">): string {
  return sha256(canonicalChannels(channels));
}
