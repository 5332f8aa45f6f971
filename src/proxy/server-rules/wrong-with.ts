import { refusals, type RefusedAnswer } from "./refusal.ts";

/** What a request brings beside its target; the names and values of its headers in turn, as they were sent. */
export type RequestHead = {
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  readonly rawHeaders: readonly string[];
};

/** RFC 9110, 7.2: empty where the target has no host. */
const hostPattern = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * What makes a request one that programs on the way may have understood in another way. No answer depends on it, but what is
 * ambiguous to us may have been somebody else's question.
 */
export function wrongWith({ httpVersionMajor, httpVersionMinor, rawHeaders }: RequestHead): RefusedAnswer | undefined {
  // The parser takes HTTP/0.9 and 2.0 for requests, which would not understand the answer.
  if (httpVersionMajor !== 1) return refusals.requestInvalid;
  let hosts = 0;
  for (const [index, name] of rawHeaders.entries()) {
    // Every other one is a value.
    if (index % 2 === 1) continue;
    if (name.length === 4 && name.toLowerCase() === "host") {
      hosts += 1;
      if (!hostPattern.test(rawHeaders[index + 1] ?? "")) return refusals.hostInvalid;
    } else if (name.length === 6 && httpVersionMinor > 0 && name.toLowerCase() === "expect") return refusals.expectRefused;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0) ? undefined : refusals.hostInvalid;
}
