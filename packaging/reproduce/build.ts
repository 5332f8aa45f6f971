import { spawnSync } from "node:child_process";
import { cpSync, existsSync, lutimesSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { projectRoot } from "../project.ts";
import type { Surroundings } from "./surroundings.ts";

/** Folders that are not copied, because they are no part of the project. */
const leftOut: readonly string[] = [".git", "dist", "coverage"];

export function copyInto({ folder, filesFrom }: Surroundings): void {
  cpSync(projectRoot, folder, { recursive: true, filter: (path) => !leftOut.includes(relative(projectRoot, path)) });
  const cache = join("dist", "cache");
  // Copies the other architecture's runtime if it has been fetched already.
  if (existsSync(resolve(projectRoot, cache))) cpSync(resolve(projectRoot, cache), resolve(folder, cache), { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.startsWith("node_modules/")) lutimesSync(resolve(folder, name), filesFrom, filesFrom);
  }
}

type Building = { readonly words: readonly string[]; readonly unixSeconds: number };

/** Runs `npm run package` on the copy. */
export function buildIn({ folder, umask, variables }: Surroundings, { words, unixSeconds }: Building): void {
  const { PATH, npm_config_registry } = process.env;
  const build = spawnSync("sh", ["-c", 'umask "$0" && exec npm run --silent package -- "$@"', umask, ...words], {
    cwd: folder,
    // Hides the user's home, whose settings the tools would read. Sets the build's date, because the copy has no git history.
    env: { HOME: resolve(folder, "dist"), PATH, npm_config_registry, ...variables, SOURCE_DATE_EPOCH: String(unixSeconds) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (build.status !== 0) throw new Error(`the build in ${folder} ended with ${build.status ?? build.signal}`);
}
