import { defineConfig, type ViteUserConfig } from "vitest/config";

/** A JSON report goes there as well, for CI to count from. */
const report = process.env["TEST_REPORT"];

const config: ViteUserConfig = defineConfig({
  root: `${import.meta.dirname}/../../..`,
  test: {
    include: ["test/kube/system/**/*.test.ts"],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    globalSetup: ["test/kube/lab/setup.ts"],
    // A small machine has two processors, and the control plane takes one.
    maxWorkers: 2,
    // A test that hangs is meant, not a machine that is busy.
    testTimeout: 120_000,
  },
});

export default config;
