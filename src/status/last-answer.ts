import type { ChannelName } from "../channel/path.ts";
import type { ChannelAnswer } from "../decide/facts.ts";
import type { State } from "../record/state.ts";

export type LastAnswer =
  | { readonly kind: "answer"; readonly answer: ChannelAnswer }
  /** Undefined: there was none yet; else the channel that gave the last one. */
  | { readonly kind: "unasked"; readonly asked: string | undefined };

/** The last answer of this very channel, as earlier passes left it. */
export function lastAnswer({ lastContact, passes }: State, channel: ChannelName): LastAnswer {
  if (lastContact === undefined) return { kind: "unasked", asked: undefined };
  // A pass that is older than those remembered is taken to have asked the same one.
  const asked = passes.find(({ startedAt }) => startedAt === lastContact.at)?.channel ?? channel;
  if (asked !== channel) return { kind: "unasked", asked };
  const { served, isCritical, doubt } = lastContact;
  return {
    kind: "answer",
    answer: {
      kind: "served",
      served: served === "none" ? { kind: "none" } : { kind: "version", version: served },
      isCritical,
      doubt,
    },
  };
}
