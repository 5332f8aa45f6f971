import { defineConfig, type ViteUserConfig } from "vitest/config";

/** A scenario takes seconds; the first on a machine also builds its base root, over the network. */
const longestScenarioMs = 300_000;

const config: ViteUserConfig = defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ["test/system/**/*.test.ts"],
    globalSetup: ["test/system/lab/setup.ts"],
    // Hosts share the machine's processors with their own package managers: one file after another keeps deadlines honest.
    fileParallelism: false,
    testTimeout: longestScenarioMs,
    hookTimeout: longestScenarioMs,
  },
});

export default config;
