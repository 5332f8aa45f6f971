import type { Random } from "../fuzz/random.ts";

/** The script with a command `noise` that prints bytes which no reader takes for text, up to half a megabyte. */
export function withNoise(random: Random, script: string): string {
  const from = random.below(2 ** 31);
  return `noise() { seq ${from} ${from + 400_000} | gzip -n | tail -c 500000; }; ${script}`;
}
