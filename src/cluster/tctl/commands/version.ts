import { build } from "../../../machine/program/program-build.ts";
import type { TctlContext } from "../context.ts";
import { versionAnswer } from "../../../machine/command-line/version.ts";
import { say } from "../screen/say.ts";

export function version(context: TctlContext): Promise<number> {
  return say(context, {
    shape: versionAnswer("The version of tctl itself."),
    value: build.version,
    text: () => `tctl ${build.version}\n`,
  });
}
