import { build } from "../../../machine/program/program-build.ts";
import type { ServerSurroundings } from "../../../proxy/server/surroundings.ts";
import { always, answer, line } from "../../../rules/shape/json-answer.ts";
import type { Options } from "./context.ts";

export const versionAnswer = answer<string>("The version of svc, which is the cluster's.")({
  version: always("a semantic version", line, (told: string) => told),
});

export function version({ json }: Pick<Options, "json">, { out }: Pick<ServerSurroundings, "out">): Promise<number> {
  out(json ? `${JSON.stringify(versionAnswer.write(build.version))}\n` : `svc ${build.version}\n`);
  return Promise.resolve(0);
}
