import { openConversation, type Conversation, type Partner } from "./conversation.ts";

/** A connection that opens before we know what to ask. */
export type EarlyConversation = {
  /** Gives the connection to the first caller, even if the other side has ended it. Undefined without a connection. */
  readonly take: () => Promise<Conversation | undefined>;
};

/** The other side has its own deadline, and must not wait for us until then. */
const longestSilenceMs = 20_000;

/** Opens a connection. Ignores that nobody listens, because the next attempt to open a conversation reports it. */
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
