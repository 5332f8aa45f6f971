import { build } from "../../../machine/program/program-build.ts";
import type { CommandContext } from "../context.ts";
import { versionAnswer } from "../json/version.ts";
import type { SharedOptions } from "../options.ts";

export function version({ json }: SharedOptions, { surroundings: { out } }: CommandContext): number {
  out(json ? `${JSON.stringify(versionAnswer.write(build.version))}\n` : `svc-upgrade ${build.version}\n`);
  return 0;
}
