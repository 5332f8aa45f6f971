import { refusals, type RefusedAnswer } from "./refusal.ts";

/** A request without its target; header names and values in turn, as they were sent. */
export type RequestHead = {
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  readonly rawHeaders: readonly string[];
};

/** RFC 9110, 7.2: empty if the target has no host. */
const hostPattern = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Refuses a request that a program on the way may have read differently than we do. No answer depends on these parts, but an ambiguous request may
 * hide a second request.
 */
export function wrongWith({ httpVersionMajor, httpVersionMinor, rawHeaders }: RequestHead): RefusedAnswer | undefined {
  // The parser accepts HTTP/0.9 and 2.0, whose clients would not understand the answer.
  if (httpVersionMajor !== 1) return refusals.requestInvalid;
  let hosts = 0;
  for (const [index, name] of rawHeaders.entries()) {
    // Every second entry is a value.
    if (index % 2 === 1) continue;
    if (name.length === 4 && name.toLowerCase() === "host") {
      hosts += 1;
      if (!hostPattern.test(rawHeaders[index + 1] ?? "")) return refusals.hostInvalid;
    } else if (name.length === 6 && httpVersionMinor > 0 && name.toLowerCase() === "expect") return refusals.expectRefused;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0) ? undefined : refusals.hostInvalid;
}
