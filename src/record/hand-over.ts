import type { ChannelName } from "../channel/path.ts";
import type { ChannelAnswer } from "../plan/facts.ts";
import type { Endpoint } from "../settings/settings.ts";
import type { Version } from "../version/version.ts";
import type { UnixSeconds } from "../window/window.ts";

/** "answer": what the channel serves. "probe": that, and how far each hop of the way to it goes, for doctor. */
export type Purpose = "answer" | "probe";

/** What the deciding half wants to know. Readable by everyone, so without secrets. */
export type Request = {
  readonly pass: string;
  readonly purpose: Purpose;
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
