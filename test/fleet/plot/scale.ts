/** From a value to a place, in the units of the drawing. */
export type Scale = (value: number) => number;

export type Span = readonly [from: number, to: number];

export function linearScale([low, high]: Span, [from, to]: Span): Scale {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

/** What is below the lowest value lies on its line: nothing is the same as very little here. */
export function logScale([low, high]: Span, place: Span): Scale {
  const linear = linearScale([Math.log10(low), Math.log10(high)], place);
  return (value) => linear(Math.log10(Math.max(low, value)));
}

/** The powers of ten in a span. */
export function decades([low, high]: Span): readonly number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

export function steps([low, high]: Span, step: number): readonly number[] {
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, index) => (first + index) * step);
}
