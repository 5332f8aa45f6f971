import { openConversation, type Conversation, type Partner } from "./conversation.ts";

/** A connection that opens before we know what to ask. */
export type EarlyConversation = {
  /** Gives the first caller the connection, even if the other side has ended it. Undefined without a connection. */
  readonly take: () => Promise<Conversation | undefined>;
};

/** The other side has a deadline of its own, and we must not use it up with silence. */
const longestSilenceMs = 20_000;

/** Ignores that nobody listens: the next attempt to open a conversation reports it. */
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
