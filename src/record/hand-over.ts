import type { ChannelName } from "../channel/path.ts";
import type { ChannelAnswer } from "../decide/facts.ts";
import type { ProxyVariables } from "../route/route.ts";
import type { Endpoint } from "../settings/settings.ts";
import type { Version } from "../version/version.ts";

/** "answer": what the channel serves. "probe": that, and how far each hop of the way to it goes, for doctor. */
export type Purpose = "answer" | "probe";

/** What the deciding half wants to know: a line of JSON. */
export type Request = {
  readonly pass: string;
  readonly purpose: Purpose;
  readonly endpoint: Endpoint;
  readonly channel: ChannelName;
  readonly caFile: string | undefined;
  readonly allowPlainHttp: boolean;
  /** Whether the update is critical is asked only where the served version is another one than this. */
  readonly installed: Version | undefined;
  /** They may hold passwords, and stand nowhere but on the connection. */
  readonly proxies: ProxyVariables;
};

/** What the asking half found out, a line of JSON as well; a network that is down is a fault as data. */
export type Answer = { readonly pass: string; readonly answer: ChannelAnswer };

/** The variables come from a file of at most 64 KiB, and a character takes six at most. What is longer is no request. */
export const longestRequestBytes: number = 512 * 1024;
/** Larger than any answer with its longest fault; what is larger is none. */
export const longestAnswerBytes = 4096;
