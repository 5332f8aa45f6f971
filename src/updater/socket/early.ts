import { openConversation, type Conversation, type Partner } from "./conversation.ts";

/** A connection that is opened before it is known what will be said by it. */
export type EarlyConversation = {
  /** For its first user, also where the other side has ended it; undefined where there is none. */
  readonly take: () => Promise<Conversation | undefined>;
};

/** Nobody is kept waiting longer: the other side has a deadline of its own, and would be ended for our silence. */
const longestSilenceMs = 20_000;

/** Where nobody listens is told by whoever opens a conversation then. */
export function openEarly(partner: Partner, silenceMs: number = longestSilenceMs): EarlyConversation {
  let opening: Promise<Conversation | undefined> | undefined = openConversation(partner).catch(() => undefined);
  const ending = setTimeout(() => {
    void opening?.then((conversation) => conversation?.end());
    opening = undefined;
  }, silenceMs);
  ending.unref();
  return {
    take: () => {
      const mine = opening ?? Promise.resolve(undefined);
      opening = undefined;
      clearTimeout(ending);
      return mine;
    },
  };
}
