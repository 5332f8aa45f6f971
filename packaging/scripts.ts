import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Format } from "./project.ts";

/** Files below packaging/ that are joined in this order. A shared step comes before the script that uses it. */
type Parts = readonly string[];

export type PackageScripts = {
  readonly deb: Readonly<Record<"preinst" | "postinst" | "prerm" | "postrm", Parts>>;
  readonly rpm: Readonly<Record<"post" | "preun" | "postun", Parts>>;
};

export type ScriptName<F extends Format> = keyof PackageScripts[F] & string;

type Scripted = { readonly packageName: string; readonly scripts: PackageScripts };

export function scriptNames<F extends Format>({ scripts }: Scripted, format: F): readonly ScriptName<F>[] {
  return Object.keys(scripts[format]) as ScriptName<F>[];
}

/** One script of a package, for /bin/sh. */
export function packageScript<F extends Format>({ packageName, scripts }: Scripted, format: F, name: ScriptName<F>): string {
  const parts = scripts[format][name] as Parts;
  const texts = parts.map((path) => readFileSync(resolve(import.meta.dirname, path), "utf8"));
  return ["set -e\n", ...texts].join("\n").replaceAll("@package@", packageName);
}
