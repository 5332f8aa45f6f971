/** Makes a regular expression of a shell's wildcards: `*` and `?`, and `[…]` for sets. */
export function globPattern(glob: string, sets: "with sets" | "without sets"): string {
  return glob
    .split(sets === "with sets" ? /(\*|\?|\[!?[^\]]+\])/ : /(\*|\?)/)
    .map((part) => {
      if (part === "*") return ".*";
      if (part === "?") return ".";
      if (sets === "with sets" && /^\[.+\]$/.test(part)) return part.replace(/^\[!/, "[^").replaceAll("\\", "\\\\");
      return literally(part);
    })
    .join("");
}

/** Makes a regular expression that matches only this text. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
