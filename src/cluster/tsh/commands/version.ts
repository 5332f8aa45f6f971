import { build } from "../../../machine/program/program-build.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TshContext } from "../context.ts";
import { versionAnswer } from "../json/version.ts";

export function version({ surroundings: { out } }: TshContext, given: Given): Promise<number> {
  out(given.format === "json" ? `${JSON.stringify(versionAnswer.write(build.version))}\n` : `tsh ${build.version}\n`);
  return Promise.resolve(0);
}
