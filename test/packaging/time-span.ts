/** As systemd.time(7) has them; a bare number counts seconds. */
const units: readonly (readonly [words: string, seconds: number])[] = [
  ["us usec", 1e-6],
  ["ms msec", 1e-3],
  ["s sec second seconds", 1],
  ["m min minute minutes", 60],
  ["h hr hour hours", 3600],
  ["d day days", 86_400],
  ["w week weeks", 604_800],
];

const secondsIn: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ...units.flatMap(([words, seconds]) => words.split(" ").map((word) => [word, seconds] as const)),
]);

const part = /(\d+(?:\.\d+)?)\s*([a-z]*)\s*/y;

/** `5min`, `1h 30min`, `90`. */
export function parseTimeSpan(text: string): number {
  const trimmed = text.trim();
  let total = 0;
  part.lastIndex = 0;
  while (part.lastIndex < trimmed.length) {
    const match = part.exec(trimmed);
    const unit = match === null ? undefined : secondsIn.get(match[2] ?? "");
    if (match === null || unit === undefined) throw new Error(`"${text}" is no time span that is understood here`);
    total += Number(match[1]) * unit;
  }
  if (trimmed === "") throw new Error("an empty text is no time span");
  return total;
}
