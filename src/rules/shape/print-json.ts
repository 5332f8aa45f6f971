/** What no terminal should be sent as it is: controls, marks that turn the reading direction, breaks that are none of ours. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** For people and programs: indented, and safe on a terminal, which JSON by itself is not. */
export function printJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2).replaceAll(unprintable, (found) => (found === "\n" ? found : escaped(found)))}\n`;
}

function escaped(found: string): string {
  return found
    .split("")
    .map((unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
