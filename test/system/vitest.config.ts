import { defineConfig, type ViteUserConfig } from "vitest/config";

/** A scenario takes seconds; the first on a machine also builds its base root, over the network. */
const longestScenarioMs = 300_000;

const config: ViteUserConfig = defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ["test/system/**/*.test.ts"],
    globalSetup: ["test/system/lab/setup.ts"],
    // A scenario mostly waits for its host. More at a time than two processors bear would make the deadlines dishonest.
    maxWorkers: 4,
    testTimeout: longestScenarioMs,
    hookTimeout: longestScenarioMs,
  },
});

export default config;
