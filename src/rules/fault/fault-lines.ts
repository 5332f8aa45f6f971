import type { ToldFault } from "./tell-fault.ts";
import { quote } from "../text/quote.ts";

const longestLine = 2000;
/** Enough, because nobody corrects more faults at once. A last line counts the rest. */
const mostShown = 100;

/** Prints the message, each wrong place, and the command to type next. */
export function faultLines({ message, hint, wrong }: Pick<ToldFault, "message" | "hint" | "wrong">): string {
  const [first = "", ...more] = message.split("\n");
  const shown = wrong.slice(0, mostShown);
  const left = wrong.length - shown.length;
  return [
    `error: ${quote(first, longestLine)}`,
    ...more.map((line) => `  ${quote(line, longestLine)}`),
    ...shown.flatMap(({ at, found, allowed }) => [
      `  ${quote(at, longestLine)}${at === "" ? "" : ": "}${quote(found, longestLine)}`,
      ...(allowed === "" ? [] : [`    allowed: ${quote(allowed, longestLine)}`]),
    ]),
    ...(left > 0 ? [`  and ${left} more`] : []),
    `next: ${quote(hint, longestLine)}`,
    "",
  ].join("\n");
}
