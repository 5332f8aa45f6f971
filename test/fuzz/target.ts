import type { Random } from "./random.ts";

/** What became of one input. A crash is thrown. */
export type Verdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused" }
  /** Parser and naive statement disagree, or a rule that always holds was broken. */
  | { readonly kind: "finding"; readonly told: string };

/** One input, and how to put it to the parser. */
export type Trial = { readonly input: unknown; readonly judge: () => Verdict | Promise<Verdict> };

/** Something that is fuzzed. `source` is the folder that the parsers are taken from: `src`, or a copy of it with a bug. */
export type Target = {
  readonly name: string;
  readonly load: (source: string) => Promise<(random: Random) => Trial>;
};

type Definition<Input> = {
  readonly name: string;
  readonly generate: (random: Random) => Input;
  readonly load: (source: string) => Promise<(input: Input) => Verdict | Promise<Verdict>>;
};

export function target<Input>({ name, generate, load }: Definition<Input>): Target {
  return {
    name,
    load: async (source) => {
      const judge = await load(source);
      return (random) => {
        const input = generate(random);
        return { input, judge: () => judge(input) };
      };
    },
  };
}

/** Printable, on one line, and short enough to be read. Pasted into a program it gives the input. */
export function show(input: unknown): string {
  const printed =
    input instanceof Uint8Array ? `bytes ${Buffer.from(input).toString("hex")}` : (JSON.stringify(input) ?? "undefined");
  const ascii = printed.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return ascii.length > longestShown ? `${ascii.slice(0, longestShown)}… (${ascii.length} characters)` : ascii;
}

const longestShown = 2000;
