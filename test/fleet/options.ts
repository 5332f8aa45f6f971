import { parseArgs } from "node:util";
import type { Download } from "./mirror.ts";

export type Options = {
  readonly part: "curves" | "drive" | "both";
  readonly hosts: number;
  readonly driven: number;
  readonly speed: number;
  readonly seed: number;
  readonly download: Download;
  /** Where the plot goes. */
  readonly plot: string;
};

export function readOptions(argv: readonly string[], defaultPlot: string): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      part: { type: "string", default: "both" },
      hosts: { type: "string", default: "1000000" },
      driven: { type: "string", default: "10000" },
      speed: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
      "package-mb": { type: "string", default: "100" },
      packages: { type: "string", default: "1" },
      "link-mbit": { type: "string", default: "100" },
      plot: { type: "string", default: defaultPlot },
    },
  });
  return {
    part: oneOf("part", values.part, ["curves", "drive", "both"]),
    hosts: whole("hosts", values.hosts),
    driven: whole("driven", values.driven),
    speed: whole("speed", values.speed),
    seed: whole("seed", values.seed),
    download: {
      packageBytes: whole("package-mb", values["package-mb"]) * 1e6,
      packages: oneOf("packages", values.packages, ["1", "2"]) === "1" ? 1 : 2,
      hostBitsPerSecond: whole("link-mbit", values["link-mbit"]) * 1e6,
    },
    plot: values.plot,
  };
}

function whole(flag: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${flag} is a whole number above zero, not ${text}`);
  return Number(text);
}

function oneOf<Word extends string>(flag: string, text: string, allowed: readonly Word[]): Word {
  const found = allowed.find((word) => word === text);
  if (found === undefined) throw new Error(`--${flag} is one of ${allowed.join(", ")}, not ${text}`);
  return found;
}
