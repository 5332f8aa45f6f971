import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { projectRoot } from "./project.ts";

export type Locked = { readonly version: string; readonly integrity: string; readonly license: string };

/** A package's entry in package-lock.json, by its folder below the project: node_modules/undici. */
export function locked(folder: string): Locked {
  const text = readFileSync(resolve(projectRoot, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Partial<Locked>>> };
  const { version, integrity, license } = packages[folder] ?? {};
  if (version === undefined || integrity === undefined || license === undefined) {
    throw new Error(
      `package-lock.json does not say version, integrity and license of ${folder}: run \`npm install\` and commit it`,
    );
  }
  return { version, integrity, license };
}
