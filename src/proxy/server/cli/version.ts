import { build } from "../../../machine/program/program-build.ts";
import { always, answer, line } from "../../../rules/shape/json-answer.ts";
import type { ServerContext, Options } from "./context.ts";

export const versionAnswer = answer<string>("The version of svc-proxy itself.")({
  version: always("a semantic version", line, (told: string) => told),
});

export function version(
  { json }: Pick<Options, "json">,
  { surroundings: { out } }: Pick<ServerContext, "surroundings">,
): Promise<number> {
  out(json ? `${JSON.stringify(versionAnswer.write(build.version))}\n` : `svc-proxy ${build.version}\n`);
  return Promise.resolve(0);
}
