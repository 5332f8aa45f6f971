import type { Given, Program } from "../../../src/machine/command-line/row.ts";
import { runProgram } from "../../../src/machine/command-line/run-program.ts";

/** What a command line is understood as; nothing is called. Undefined: it asked for help. */
export async function understood(
  program: Program<never>,
  argv: readonly string[],
): Promise<{ readonly words: string; readonly given: Given } | undefined> {
  let called: { readonly words: string; readonly given: Given } | undefined;
  const rows = program.rows.map((row) => ({
    ...row,
    call: (_context: undefined, given: Given): Promise<number> => {
      called = { words: row.words.join(" "), given };
      return Promise.resolve(0);
    },
  }));
  await runProgram({ ...program, rows }, argv, { out: () => undefined, context: () => undefined });
  return called;
}
