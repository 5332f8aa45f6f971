import { tagged, text } from "./roff.ts";

/** What people come for, and what they type then. */
export type Example = { readonly aim: string; readonly typed: readonly string[] };

export function exampleParagraphs(examples: readonly Example[]): string {
  return examples.map(({ aim, typed }) => tagged(text(aim), [".EX", ...typed.map(text), ".EE"])).join("");
}
