import { build } from "../../../machine/program/program-build.ts";
import type { TctlContext } from "../context.ts";
import { versionAnswer } from "../json/version.ts";
import { say } from "../screen/say.ts";

export function version(context: TctlContext): Promise<number> {
  return say(context, { shape: versionAnswer, value: build.version, text: () => `tctl ${build.version}\n` });
}
