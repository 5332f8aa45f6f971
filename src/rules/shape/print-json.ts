/** Characters that no terminal should get: controls, marks that change the reading direction, foreign line breaks. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Prints indented JSON for people and programs. Unlike plain JSON, it is safe on a terminal. */
export function printJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2).replaceAll(unprintable, (found) => (found === "\n" ? found : escaped(found)))}\n`;
}

function escaped(found: string): string {
  return found
    .split("")
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
