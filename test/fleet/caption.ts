import type { Options } from "./options.ts";
import type { Figure } from "./plot/figure.ts";
import { rounded, whole } from "./print.ts";
import type { Timer } from "./timer/unit-file.ts";

export function titleOf({ hosts }: Options): string {
  return `What ${whole(hosts)} hosts ask for, and what they fetch`;
}

export function legendOf({ randomDelaySeconds }: Timer): Figure["legend"] {
  return {
    shipped: `timer as shipped, random delay of ${rounded(randomDelaySeconds)} seconds`,
    together: "without the random delay",
  };
}

/** What a reader must know to take the curves for what they are, and to draw them again. */
export function captionOf({ hosts, seed, download }: Options): readonly string[] {
  const { packageBytes, packages, hostBitsPerSecond } = download;
  const [megabytes, megabits] = [packageBytes / 1e6, hostBitsPerSecond / 1e6];
  const fetched = `${packages === 1 ? "one package" : "two packages"} of ${rounded(megabytes)} MB`;
  const command = `npm run fleet -- --part curves --hosts ${hosts} --seed ${seed}`;
  return [
    "Every host is drawn by itself, from the timer unit as it is shipped; clocks are taken as right, and every question as answered at once.",
    "The values have logarithmic axes; what lies on the lowest line is less, or nothing. The coloured figures are the highest values.",
    `The mirror's curve is what it would have to give if each host fetched ${fetched} at ${rounded(megabits)} Mbit/s the moment it moves.`,
    `Drawn by: ${command} --package-mb ${rounded(megabytes)} --packages ${packages} --link-mbit ${rounded(megabits)}`,
  ];
}
