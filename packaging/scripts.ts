import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Format } from "./project.ts";

/** What each script calls of the steps that both formats share. */
const steps = {
  deb: { preinst: undefined, postinst: "installed", prerm: "removing", postrm: "removed" },
  rpm: { post: "installed", preun: "removing", postun: "removed" },
} as const;

export type ScriptName<F extends Format> = keyof (typeof steps)[F] & string;

export function scriptNames<F extends Format>(format: F): readonly ScriptName<F>[] {
  return Object.keys(steps[format]) as ScriptName<F>[];
}

/** One script of a package, for /bin/sh: the step that both formats share, then when this format takes it. */
export function packageScript<F extends Format>(format: F, name: ScriptName<F>): string {
  const step = steps[format][name] as string | undefined;
  const parts = [...(step === undefined ? [] : [`scripts/${step}.sh`]), `${format}/${name}`];
  const texts = parts.map((path) => readFileSync(resolve(import.meta.dirname, path), "utf8"));
  return ["set -e\n", ...texts].join("\n");
}
