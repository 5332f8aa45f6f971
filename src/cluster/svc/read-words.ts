import type { Log } from "../../machine/logging/log.ts";
import { compareDecisions, type DecisionNumber } from "../../rules/channel/decision-number.ts";
import { word, type Word } from "../../rules/rollout/answer.ts";
import { decode } from "../../rules/shape/read.ts";
import type { KeptWords } from "./kept-words.ts";

/** Auth's answer to a proxy. */
export type SaidWords = {
  readonly epoch: number;
  readonly number: DecisionNumber;
  readonly lifeSeconds: number;
  readonly news:
    | { readonly kind: "unchanged" }
    /** Auth does not have the decision that this proxy has. */
    | { readonly kind: "diverged" }
    | {
        readonly kind: "words";
        /** Words of channels, each as JSON. */
        readonly words: readonly string[];
        /** Channels that were released since a restore. */
        readonly released: readonly string[];
      };
};

type News = Extract<SaidWords["news"], { kind: "words" }>;

type Known = {
  readonly before: Pick<KeptWords, "epoch" | "words" | "lost">;
  /** The channels whose unreadable or lost word was logged. */
  readonly told: Set<string>;
  readonly log: Log;
};

/** Whether auth's answer is older than what this proxy has: an administrator put back an old store without `tctl restore`. */
export function isOlder({ number }: Pick<SaidWords, "number">, before: Pick<KeptWords, "number">): boolean {
  return compareDecisions(number, before.number) < 0;
}

/** Reads auth's words. Keeps the earlier word of a channel if the new one cannot be read, as after a change in a later release. */
export function readWords(epoch: number, said: News, { before, told, log }: Known): Pick<KeptWords, "words" | "lost"> {
  const words = said.words.flatMap((text) => {
    const decoded = decode(text, word, "ignored");
    if (decoded.kind === "read") {
      told.delete(decoded.value.channel);
      return [decoded.value];
    }
    const channel = channelIn(text);
    tellOnce(
      channel,
      "what auth says about a rollout cannot be read, so its channel is answered as before: is this proxy older than auth?",
      {
        why: decoded.why,
      },
    );
    return before.words.filter((one) => one.channel === channel);
  });
  const lost = lostIn(epoch, { words, said, before });
  for (const { channel } of lost) {
    tellOnce(
      channel,
      `auth was restored from a backup and does not know the rollout of this channel, so hosts stay as they are: write a rollout for it, or give it back to the proxies' files with \`tctl rollout release ${channel}\``,
      {},
    );
  }
  return {
    words: [...words, ...lost.map((one) => ({ ...one, unsettled: true }))],
    lost: lost.map(({ channel }) => channel),
  };

  function tellOnce(channel: string, sentence: string, fields: Readonly<Record<string, string>>): void {
    if (!told.has(channel)) log("warning", sentence, { channel, ...fields });
    told.add(channel);
  }
}

type Saying = { readonly words: readonly Word[]; readonly said: News; readonly before: Known["before"] };

/** Finds words that a restored auth has lost. Without a restore, a missing word means that its channel was released. */
function lostIn(epoch: number, { words, said, before }: Saying): readonly Word[] {
  return before.words.filter(
    ({ channel }) =>
      (epoch > before.epoch || before.lost.includes(channel)) &&
      !said.released.includes(channel) &&
      words.every((one) => one.channel !== channel),
  );
}

function channelIn(text: string): string {
  try {
    const found = JSON.parse(text) as { readonly channel?: unknown } | null;
    return typeof found?.channel === "string" ? found.channel : "";
  } catch {
    // The caller logs that the text cannot be read.
    return "";
  }
}
