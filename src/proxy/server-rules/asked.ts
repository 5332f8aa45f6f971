import { parseChannelName, type ChannelName } from "../../rules/channel/path.ts";
import { refusals, type RefusedAnswer } from "./refusal.ts";

export type Question = "version" | "critical";

/** The meaning of a request's target. */
export type AskedPath =
  | { readonly kind: "ping" }
  | { readonly kind: "channel"; readonly channel: ChannelName; readonly question: Question }
  | RefusedAnswer;

/** Longer than the path of any channel, with a query that makes caches ask anew. */
const longestTarget = 1024;

const channelPattern = /^(?:\/v1)?\/webapi\/automaticupgrades\/channel\/(.+)\/(version|critical)$/;

export const pingTarget = "/webapi/ping";
/** Reads the target of a request line and ignores its query. Normalises nothing: dots, doubled slashes and encoded slashes make a name invalid. */
export function askedBy(target: string): AskedPath {
  if (target.length > longestTarget) return refusals.targetTooLong;
  const written = target.replace(/^https?:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  // No name holds a slash, so an encoded one is not found.
  if (/%2f/i.test(written)) return refusals.notFound;
  const path = decoded(written);
  if (path === undefined) return refusals.targetInvalid;
  if (path === pingTarget || path === `/v1${pingTarget}`) return { kind: "ping" };
  const [, name, question] = channelPattern.exec(path) ?? [];
  if (name === undefined) return refusals.notFound;
  const channel = parseChannelName(name);
  if (channel === undefined) return refusals.channelUnknown;
  return { kind: "channel", channel, question: question === "version" ? "version" : "critical" };
}

/** The targets of a channel, in both spellings. */
export function channelTargets(channel: ChannelName, question: Question): readonly string[] {
  const path = `/webapi/automaticupgrades/channel/${channel}/${question}`;
  return [`/v1${path}`, path];
}

function decoded(path: string): string | undefined {
  try {
    const text = decodeURIComponent(path);
    // oxlint-disable-next-line no-control-regex -- NUL and its kind are in no path that anybody means
    return /[\u0000-\u001f\u007f]/.test(text) ? undefined : text;
  } catch {
    // Decoding fails only on a percent sign without two hex digits of UTF-8.
    return undefined;
  }
}
