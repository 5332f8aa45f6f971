/** One seed for everybody, so that the same commit is tested alike; `SEED=N` gives another, and repeats a run. */
export function givenSeed(): number {
  const given = process.env["SEED"] ?? "1";
  const seed = Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`SEED is a whole number, not ${given}`);
  return seed;
}
