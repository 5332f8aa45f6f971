import type { Shape } from "./shape.ts";

/** Says which values are allowed, for a fault or a reference page. */
export function allowedFor({ form, allowed }: Shape<unknown>): string {
  if (allowed !== undefined) return allowed;
  switch (form.kind) {
    case "text":
      return `a text of at most ${form.longest} characters`;
    case "truth":
      return "true or false";
    case "exactly":
      return String(form.value);
    case "words":
      return listed(Object.keys(form.words));
    case "list":
      return `a list of ${allowedFor(form.of)}`;
    case "record":
      return `a mapping of ${Object.keys(form.keys).join(", ")}`;
    case "named":
      return `a mapping of names to ${allowedFor(form.of)}`;
    case "maybe":
    case "optional":
    case "else":
    case "coded":
    case "refined":
      return allowedFor(form.of);
    default:
      throw new Error(`a ${form.kind} does not say what it allows`);
  }
}

function listed(words: readonly string[]): string {
  return words.length === 1 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.slice(-1).join("")}`;
}
