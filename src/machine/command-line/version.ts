import { always, answer, line, type Shown } from "../../rules/shape/json-answer.ts";
import { build } from "../program/program-build.ts";
import type { Given } from "./row.ts";

export function versionAnswer(about: string): Shown<string, { readonly schema: 1; readonly version: string }> {
  return answer<string>(about)({ version: always("a semantic version", line, (told: string) => told) });
}

export function tellVersion(program: string, { format }: Given, out: (text: string) => void): number {
  out(format === "json" ? `${JSON.stringify(versionAnswer("").write(build.version))}\n` : `${program} ${build.version}\n`);
  return 0;
}
