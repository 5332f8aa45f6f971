import { randomInt } from "node:crypto";

/** Another one in every run, or what is once found in a fixed one would be all that is ever looked for; SEED repeats a run. */
export function drawnSeed(what: string): number {
  const given = process.env["SEED"];
  const seed = given === undefined ? randomInt(2 ** 31) : Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`SEED is a whole number, not ${given}`);
  console.log(`${what}: seed ${seed}; again: SEED=${seed}`);
  return seed;
}
