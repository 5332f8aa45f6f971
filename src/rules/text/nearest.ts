/** The likeliest candidate for a misspelled word; ignores letter case, hyphens and underscores. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word);
  if (wanted === "" || wanted.length > longestWord) return undefined;
  const near = candidates
    .map((candidate) => ({ candidate, distance: distanceBetween(wanted, plain(candidate)) }))
    .filter(({ candidate, distance }) => distance <= allowance(Math.max(wanted.length, plain(candidate).length)))
    .toSorted((left, right) => left.distance - right.distance);
  return near[0]?.candidate;
}

/** Longer than any key with a few typing mistakes, so longer words match nothing. */
const longestWord = 64;

/** Allows one mistake in three letters: `agnt` means agent, but `foo` does not mean hold. */
function allowance(length: number): number {
  return Math.min(3, Math.floor(length / 3));
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The number of letters to insert, drop or replace (Levenshtein distance), computed row by row. */
function distanceBetween(left: string, right: string): number {
  let above = Array.from({ length: right.length }, (_, index) => index + 1);
  let distance = right.length;
  for (const [row, letter] of left.split("").entries()) {
    let diagonal = row;
    distance = row + 1;
    const current: number[] = [];
    for (const [column, over] of above.entries()) {
      distance = Math.min(diagonal + (letter === right.charAt(column) ? 0 : 1), over + 1, distance + 1);
      diagonal = over;
      current.push(distance);
    }
    above = current;
  }
  return distance;
}
