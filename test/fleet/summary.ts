export type Summary = { readonly total: number; readonly mean: number; readonly peak: number };

export function summarize(perSecond: Float64Array): Summary {
  const total = perSecond.reduce((sum, value) => sum + value, 0);
  return { total, mean: total / perSecond.length, peak: perSecond.reduce((most, value) => Math.max(most, value), 0) };
}

/** The highest second of each stretch of so many. */
export function peaksOf(perSecond: Float64Array, seconds: number): readonly number[] {
  return Array.from({ length: Math.ceil(perSecond.length / seconds) }, (_, index) =>
    perSecond.subarray(index * seconds, (index + 1) * seconds).reduce((most, value) => Math.max(most, value), 0),
  );
}
