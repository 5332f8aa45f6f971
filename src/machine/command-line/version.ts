import { encode } from "../../rules/shape/write.ts";
import { always, answer, line } from "../../rules/shape/answer.ts";
import type { Shape } from "../../rules/shape/shape.ts";
import { build } from "../program/program-build.ts";
import type { Given } from "./row.ts";

export function versionAnswer(about: string): Shape<string, { readonly schema: 1; readonly version: string }> {
  return answer<string>(about)({ version: always("a semantic version", line, (told: string) => told) });
}

export function tellVersion(program: string, { format }: Given, out: (text: string) => void): number {
  out(format === "json" ? `${JSON.stringify(encode(versionAnswer(""), build.version))}\n` : `${program} ${build.version}\n`);
  return 0;
}
