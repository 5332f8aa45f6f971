import { isDeepStrictEqual } from "node:util";
import type { Random } from "./random.ts";

/** What became of one input. A crash is thrown. */
export type Verdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused" }
  /** A rule that always holds was broken. */
  | { readonly kind: "finding"; readonly told: string };

/** One input, and how to put it to the parser. */
export type Trial = { readonly input: unknown; readonly judge: () => Promise<Verdict> };

/** Something that is fuzzed. `source` is the folder that the parsers are taken from: `src`, or a copy of it with a bug. */
export type Target = {
  readonly name: string;
  readonly load: (source: string) => Promise<(random: Random) => Trial>;
};

/** What a parser made of an input, and what people read of it. */
export type Reading<Value> = (
  | { readonly kind: "accepted"; readonly value: Value }
  | { readonly kind: "refused"; readonly value?: undefined }
) & { readonly told?: readonly string[] };

type Parser<Input, Value> = {
  /** Throws for a bug only. */
  readonly read: (input: Input) => Reading<Value> | Promise<Reading<Value>>;
  /** An input that must be read as the same value; undefined where no input says just that. */
  readonly print?: (value: Value) => Input | undefined;
};

type Definition<Input, Value> = {
  readonly name: string;
  readonly generate: (random: Random) => Input;
  readonly load: (source: string) => Promise<Parser<Input, Value>>;
};

export function target<Input, Value>({ name, generate, load }: Definition<Input, Value>): Target {
  return {
    name,
    load: async (source) => {
      const parser = await load(source);
      return (random) => {
        const input = generate(random);
        return { input, judge: () => judge(parser, input) };
      };
    },
  };
}

export function taken<Value>(value: Value | undefined, told: readonly string[] = []): Reading<Value> {
  return value === undefined ? { kind: "refused", told } : { kind: "accepted", value, told };
}

/** Stands in the passwords of many proxies, and must stand in no message. */
export const secret = "hunter2";

async function judge<Input, Value>({ read, print }: Parser<Input, Value>, input: Input): Promise<Verdict> {
  const reading = await read(input);
  for (const words of reading.told ?? []) {
    if (words.includes(secret)) return finding(`tells the password: ${words}`);
    if (!isPrintableLine(words)) return finding(`tells more than a short printable line: ${show(words)}`);
  }
  const printed = reading.kind === "accepted" ? print?.(reading.value) : undefined;
  if (printed === undefined) return { kind: reading.kind };
  const again = await read(printed);
  if (isDeepStrictEqual(again.value, reading.value)) return { kind: "accepted" };
  return finding(`${show(reading.value)} prints as ${show(printed)}, which is read as ${show(again)}`);
}

function finding(told: string): Verdict {
  return { kind: "finding", told };
}

function isPrintableLine(words: string): boolean {
  return words.length <= longestTold && !/[\p{C}\p{Zl}\p{Zp}]/u.test(words);
}

/** The list of all variables, which an unknown one is told, takes most of it. */
const longestTold = 1500;

/** Printable, on one line, and short enough to be read. Pasted into a program it gives the input. */
export function show(input: unknown): string {
  const printed =
    input instanceof Uint8Array ? `bytes ${Buffer.from(input).toString("hex")}` : (JSON.stringify(input) ?? "undefined");
  const ascii = printed.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return ascii.length > longestShown ? `${ascii.slice(0, longestShown)}… (${ascii.length} characters)` : ascii;
}

const longestShown = 2000;
