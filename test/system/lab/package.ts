import { join } from "node:path";
import { buildDeb } from "./deb.ts";
import type { Host } from "./host.ts";
import type { PackageRecipe } from "./package-recipe.ts";
import { buildRpm } from "./rpm.ts";

/** Builds a package in the host's own format; the answer is its path on this machine, for `repository.publish`. */
export function buildPackage(host: Host, recipe: PackageRecipe): Promise<string> {
  const directory = join(host.directory, "packages");
  return host.family === "apt" ? buildDeb(directory, recipe) : buildRpm(directory, recipe);
}

/**
 * How a host's packages wrap a served version, unless a scenario has its own way: in an rpm 15.4.6-rc.1 is 15.4.6~rc.1-1;
 * a deb may have it as it is. What is a package version already stays so.
 */
export function packageVersion(host: Host, version: string): string {
  if (host.family === "apt") return version;
  const withTilde = version.replace(/-(?=[a-z])/, "~");
  return withTilde.includes("-") ? withTilde : `${withTilde}-1`;
}
