import { naiveVersion, trimmed } from "./version.ts";

/** The body as text, if its bytes are UTF-8: then they come back. */
function textOf(body: Uint8Array): string | undefined {
  const text = Buffer.from(body).toString("utf8");
  return Buffer.compare(Buffer.from(text, "utf8"), body) === 0 ? text : undefined;
}

export function naiveServed(body: Uint8Array): object | undefined {
  const text = textOf(body);
  if (text === undefined) return undefined;
  const word = trimmed(text);
  if (word === "none") return { kind: "none" };
  const version = naiveVersion(word);
  return version === undefined ? undefined : { kind: "version", version };
}

export function naiveCritical(body: Uint8Array): object | undefined {
  const text = textOf(body);
  switch (text === undefined ? undefined : trimmed(text)) {
    case "yes":
    case "true":
      return { kind: "critical" };
    case "no":
    case "false":
      return { kind: "not-critical" };
    default:
      return undefined;
  }
}

export function naiveChannelName(text: string): string | undefined {
  const words = text.split("/");
  if (words.length > 8) return undefined;
  for (const word of words) {
    if (word.length < 1 || word.length > 63 || !isLetterOrDigit(word[0]!)) return undefined;
    for (const sign of word) if (!isLetterOrDigit(sign) && sign !== "." && sign !== "_" && sign !== "-") return undefined;
  }
  return text;
}

function isLetterOrDigit(sign: string): boolean {
  return (sign >= "0" && sign <= "9") || (sign >= "A" && sign <= "Z") || (sign >= "a" && sign <= "z");
}
