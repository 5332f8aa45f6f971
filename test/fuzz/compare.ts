import { isDeepStrictEqual } from "node:util";
import { show, type Verdict } from "./target.ts";

export const accepted: Verdict = { kind: "accepted" };
export const refused: Verdict = { kind: "refused" };

/** Both give undefined for what they refuse. */
export function compare(found: unknown, expected: unknown): Verdict {
  if (isDeepStrictEqual(found, expected)) return found === undefined ? refused : accepted;
  if (expected === undefined) return finding(`accepted as ${show(found)}, which the grammar forbids`);
  if (found === undefined) return finding(`refused, where the grammar gives ${show(expected)}`);
  return finding(`read as ${show(found)}, where the grammar gives ${show(expected)}`);
}

export function finding(told: string): Verdict {
  return { kind: "finding", told };
}

/** The rule of everything that is shown to people: one line, printable. */
export function isPrintableLine(text: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}
