import type { Mutant } from "./mutate.ts";

export type Planted = Mutant & { readonly id: number };

/** What the changed files ask at each place: whether it is now this one's turn. See `runner.ts`. */
export const turn = "mutantIsOn";

type Place = { readonly start: number; readonly end: number; readonly kind: Mutant["kind"]; readonly mutants: Planted[] };

/** The file with all of them in it, each asleep until its turn: so a test file is loaded once for all of them. */
export function plant(source: string, mutants: readonly Planted[]): string {
  const places = new Map<string, Place>();
  for (const mutant of mutants) {
    const { start, end, kind } = mutant;
    const key = `${start}-${end}`;
    const place = places.get(key) ?? { start, end, kind, mutants: [] };
    place.mutants.push(mutant);
    places.set(key, place);
  }
  const sorted = [...places.values()].toSorted((left, right) => left.start - right.start || right.end - left.end);
  return written(source, { start: 0, end: source.length }, sorted);
}

type Range = { readonly start: number; readonly end: number };

/** The places within a range, outermost first. */
function written(source: string, { start, end }: Range, places: readonly Place[]): string {
  let text = "";
  let at = start;
  for (let next = 0; next < places.length;) {
    const place = places[next]!;
    const inner = places.slice(next + 1).filter((other) => other.start < place.end);
    text += source.slice(at, place.start) + asleep(place, written(source, place, inner));
    at = place.end;
    next += 1 + inner.length;
  }
  return text + source.slice(at, end);
}

function asleep({ kind, mutants }: Place, text: string): string {
  if (kind === "statement") return `if(${turn}(${mutants[0]!.id})){}else ${text}`;
  const changed = mutants.map(({ id, becomes }) => `${turn}(${id})?(${becomes}):`);
  return `(${changed.join("")}(${text}))`;
}
