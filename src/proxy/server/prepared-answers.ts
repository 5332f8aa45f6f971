import type { ChannelName } from "../../rules/channel/path.ts";
import { channelAnswer, pingAnswer, refusal, type UpstreamAnswer } from "../server-rules/server-answer.ts";
import { askedBy, channelTargets, type Question, pingTarget } from "../server-rules/asked.ts";
import { canonicalChannels } from "../server-rules/canonical.ts";
import type { Channel, Configuration } from "../server-rules/configuration.ts";
import { refusals, type RefusedAnswer } from "../server-rules/refusal.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Meter } from "./meter.ts";
import { prepare, sha256, type PreparedServer } from "./prepared.ts";

/** The answer for one target, or the wait for the first answer. */
export type Slot = { answer: PreparedServer | undefined; readonly first: Promise<void> };

type Waiting = { readonly promise: Promise<void>; readonly resolve: () => void };

/** All answers of a configuration, under all their targets. */
export class Answers {
  readonly digest: string;
  readonly #slots = new Map<string, Slot>();
  readonly #waiting = new Map<ChannelName, Waiting>();
  readonly #refused = new Map<string, PreparedServer>();
  readonly #channels: Configuration["channels"];
  readonly #meter: Meter;

  constructor(configuration: Configuration, meter: Meter) {
    this.#channels = configuration.channels;
    this.#meter = meter;
    this.digest = digestOf(configuration);
    this.#put(pingTarget, this.#prepare("ping", pingAnswer(configuration)));
    for (const [name, channel] of configuration.channels) {
      if (channel.kind === "forwarded") this.#waiting.set(name, Promise.withResolvers<void>());
      this.#fill(name, channel, { upstream: undefined, now: 0 });
    }
  }

  /** Quick for a target in the usual spelling; any other is parsed and may lead to the same place. */
  find(target: string): Slot | RefusedAnswer {
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

  /** No more answers come: waiting requests look into the newer answers. */
  retire(): void {
    for (const { resolve } of this.#waiting.values()) resolve();
    this.#waiting.clear();
  }

  #fill(
    name: ChannelName,
    channel: Channel,
    { upstream, now }: { upstream: UpstreamAnswer | undefined; now: UnixSeconds },
  ): void {
    for (const question of ["version", "critical"] as const satisfies readonly Question[]) {
      const waiting = this.#waiting.get(name);
      const answer = this.#prepare(name, channelAnswer(question, { channel, upstream }, now));
      for (const target of channelTargets(name, question)) {
        const slot = this.#slots.get(target);
        if (slot !== undefined) slot.answer = answer;
        else if (waiting === undefined) this.#put(target, answer);
        else this.#slots.set(target, { answer: undefined, first: waiting.promise });
      }
    }
  }

  #put(target: string, answer: PreparedServer): void {
    this.#slots.set(target, { answer, first: Promise.resolve() });
  }

  #prepare(channel: string, answer: Parameters<typeof prepare>[0]): PreparedServer {
    return prepare(answer, { meter: this.#meter, channel, digest: this.digest });
  }
}

export function digestOf({ channels }: Pick<Configuration, "channels">): string {
  return sha256(canonicalChannels(channels));
}
