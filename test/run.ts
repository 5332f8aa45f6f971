import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { sharpFilters } from "./sharp-filters.ts";

const vitest = join(import.meta.dirname, "../node_modules/vitest/vitest.mjs");
const config = join(import.meta.dirname, "vitest.config.ts");
const argv = [vitest, "run", "--config", config, ...sharpFilters(process.argv.slice(2))];
process.exitCode = spawnSync(process.execPath, argv, { stdio: "inherit" }).status ?? 1;
