import { spawnSync } from "node:child_process";
import { cpSync, existsSync, lutimesSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { buildDate, projectRoot } from "../project.ts";
import type { Surroundings } from "./surroundings.ts";

/** What is no part of the project. */
const leftOut: readonly string[] = [".git", "dist", "coverage"];

/** Runs `npm run package` on a copy of the project in other surroundings. */
export function buildIn({ folder, umask, variables, filesFrom }: Surroundings, words: readonly string[]): void {
  cpSync(projectRoot, folder, { recursive: true, filter: (path) => !leftOut.includes(relative(projectRoot, path)) });
  const cache = join("dist", "cache");
  // The other architecture's runtime, where it has been fetched already.
  if (existsSync(resolve(projectRoot, cache))) cpSync(resolve(projectRoot, cache), resolve(folder, cache), { recursive: true });
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.startsWith("node_modules/")) lutimesSync(resolve(folder, name), filesFrom, filesFrom);
  }
  const { PATH, npm_config_registry } = process.env;
  const build = spawnSync("sh", ["-c", 'umask "$0" && exec npm run --silent package -- "$@"', umask, ...words], {
    cwd: folder,
    // A copy has no history to take the date from.
    env: { PATH, npm_config_registry, ...variables, SOURCE_DATE_EPOCH: String(buildDate()) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (build.status !== 0) throw new Error(`the build in ${folder} ended with ${build.status ?? build.signal}`);
}
