import { createHash } from "node:crypto";
import { decisionHeader } from "../../rules/channel/decision-number.ts";
import { channelsHeader } from "../../rules/channel/digest.ts";
import { versionHeader } from "../../rules/channel/headers.ts";
import type { ServerAnswer } from "../server-rules/server-answer.ts";
import type { Count, Meter } from "./meter.ts";

/** An answer with all its headers, made once and sent many times. */
export type PreparedServer = {
  readonly status: number;
  /** Names and values in turn, which Node takes without checks. */
  readonly headers: readonly string[];
  /** A string, because Node sends a string in one packet with the head, but bytes in a second packet. */
  readonly body: string;
  readonly count: Count;
  /** The answer for clients that have it already. */
  readonly unchanged: { readonly etag: string; readonly headers: readonly string[]; readonly count: Count } | undefined;
};

export type Preparing = { readonly meter: Meter; readonly channel: string; readonly digest: string };

export function prepare(answer: ServerAnswer, { meter, channel, digest }: Preparing): PreparedServer {
  const { status, body } = answer;
  const etag = answer.isTaggedByBody ? `"${sha256(body).slice(0, 32)}"` : answer.etag;
  const always = [
    "Cache-Control",
    answer.cacheControl,
    channelsHeader,
    digest,
    ...(answer.names === undefined ? [] : [versionHeader, answer.names]),
    ...(answer.decision === undefined ? [] : [decisionHeader, answer.decision]),
    ...(answer.besides ?? []),
  ];
  const tagged = etag === undefined ? always : ["ETag", etag, ...always];
  return {
    status,
    body,
    headers: [
      "Content-Type",
      answer.contentType,
      "Content-Length",
      String(Buffer.byteLength(body)),
      ...tagged,
      ...(answer.retryAfterSeconds === undefined ? [] : ["Retry-After", String(answer.retryAfterSeconds)]),
      ...(answer.allow === undefined ? [] : ["Allow", answer.allow]),
    ],
    count: meter.count(channel, status),
    unchanged: etag === undefined ? undefined : { etag, headers: tagged, count: meter.count(channel, 304) },
  };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
