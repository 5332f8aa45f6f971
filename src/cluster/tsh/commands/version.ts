import { build } from "../../../machine/program/program-build.ts";
import type { Given, TshContext } from "../context.ts";
import { versionAnswer } from "../json/version.ts";

export function version({ surroundings: { out } }: TshContext, given: Given): Promise<number> {
  out(given.isSet("json") ? `${JSON.stringify(versionAnswer.write(build.version))}\n` : `tsh ${build.version}\n`);
  return Promise.resolve(0);
}
