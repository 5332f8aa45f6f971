import type { Log } from "../../machine/logging/log.ts";
import type { Words } from "../../proxy/server-rules/decided.ts";
import { word, type Word } from "../../rules/rollout/answer.ts";
import { decode } from "../../rules/shape/read.ts";

/** Auth's answer: each word as JSON. */
export type SaidWords = { readonly epoch: number; readonly words: readonly string[]; readonly lifeSeconds: number };

type Known = {
  readonly before: readonly Word[];
  /** The channels whose unreadable word was logged. */
  readonly unreadable: Set<string>;
  readonly log: Log;
};

/** A word of a later release cannot be read: its channel is answered as before. */
export function readWords({ epoch, words: said }: Pick<SaidWords, "epoch" | "words">, { before, unreadable, log }: Known): Words {
  const words = said.flatMap((text) => {
    const decoded = decode(text, word, "ignored");
    if (decoded.kind === "read") {
      unreadable.delete(decoded.value.channel);
      return [decoded.value];
    }
    const channel = channelIn(text);
    if (!unreadable.has(channel)) {
      log(
        "warning",
        "what auth says about a rollout cannot be read, so its channel is answered as before: is this proxy older than auth?",
        {
          channel,
          why: decoded.why,
        },
      );
    }
    unreadable.add(channel);
    return before.filter((one) => one.channel === channel);
  });
  return { epoch, words };
}

function channelIn(text: string): string {
  try {
    const found = JSON.parse(text) as { readonly channel?: unknown } | null;
    return typeof found?.channel === "string" ? found.channel : "";
  } catch {
    // The caller tells that it cannot be read.
    return "";
  }
}
