import type { AptCalls } from "../../../../src/updater/package/apt/calls.ts";
import type { Ended } from "../../../../src/updater/package/call/result.ts";

/** What a program printed, and how it ended; several are given one after the other, and the last one from then on. */
export type Answer = string | Partial<Ended>;
export type Answers = readonly (readonly [called: RegExp, ...Answer[]])[];

export type Answering = AptCalls & {
  /** The calls that were made, in their order, as words. */
  readonly asked: readonly string[];
  readonly acted: readonly string[];
};

/** Programs that answer what was saved of them, by what they are called with. Whoever is not in the rows says nothing, and succeeds. */
export function answering(rows: Answers, root: string = "/proc/nowhere"): Answering {
  const [asked, acted]: [string[], string[]] = [[], []];
  const times = new Map<RegExp, number>();
  const answer =
    (into: string[]) =>
    async (argv: readonly string[]): Promise<Ended> => {
      const call = argv.join(" ");
      into.push(call);
      const [called, ...answers] = rows.find(([one]) => one.test(call)) ?? [/none/, ""];
      const nth = times.get(called) ?? 0;
      times.set(called, nth + 1);
      const given = answers[Math.min(nth, answers.length - 1)] ?? "";
      const { status = 0, stdout = "", output = stdout } = typeof given === "string" ? { stdout: given } : given;
      return { status, stdout, output };
    };
  const act = answer(acted);
  return { ask: answer(asked), act, actOffline: act, root, patience: { forMs: 4, everyMs: 1 }, asked, acted };
}

export function failing(output: string, status = 100): Partial<Ended> {
  return { status, output };
}
