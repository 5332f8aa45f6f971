/** A shell's wildcards as a regular expression: `*` and `?`, and `[…]` for sets. */
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

/** Matches only the text itself. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
