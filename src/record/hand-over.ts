import type { ChannelName } from "../channel/path.ts";
import type { ChannelAnswer } from "../plan/facts.ts";
import type { Endpoint } from "../settings/settings.ts";
import type { Version } from "../version/version.ts";
import type { UnixSeconds } from "../window/window.ts";

/** "answer": what the channel serves. "probe": that, and how far each hop of the way to it goes, for doctor. */
export type Purpose = "answer" | "probe";

/**
 * How much the two halves understand of each other; for the length of an upgrade they may be of two releases. "first": the keys and
 * words of the first release, which refuses any other. "open": what is not known is passed over.
 */
export type HandOverForm = "first" | "open";

/** What the deciding half wants to know. Readable by everyone, so without secrets. */
export type Request = {
  readonly pass: string;
  readonly purpose: Purpose;
  /** In which form it is asked, and may be answered. */
  readonly form: HandOverForm;
  readonly endpoint: Endpoint;
  readonly channel: ChannelName;
  readonly caFile: string | undefined;
  readonly allowPlainHttp: boolean;
  /** Whether the update is critical is asked only where the served version is another one than this. */
  readonly installed: Version | undefined;
};

/** What the asking half found out; a network that is down is a fault as data. */
export type Answer = { readonly pass: string; readonly at: UnixSeconds; readonly answer: ChannelAnswer };

/** Larger than any answer with its longest fault; what is larger is none. */
export const longestHandOverBytes = 4096;
