/** Wildcards of a shell, as a regular expression: `*` and `?`, and `[…]` where they mean sets too. */
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

/** A text that means nothing but itself. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
