import { tagged, text } from "./roff.ts";

/** A task, and the commands for it. */
export type Example = { readonly aim: string; readonly typed: readonly string[] };

export function exampleParagraphs(examples: readonly Example[]): string {
  return examples.map(({ aim, typed }) => tagged(text(aim), [".EX", ...typed.map(text), ".EE"])).join("");
}
