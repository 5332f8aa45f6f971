import { defineConfig, type ViteUserConfig } from "vitest/config";

/** A JSON report goes there as well, for CI to count from. */
const report = process.env["TEST_REPORT"];

const config: ViteUserConfig = defineConfig({
  root: `${import.meta.dirname}/../../..`,
  test: {
    include: ["test/kube/system/**/*.test.ts"],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    globalSetup: ["test/kube/lab/setup.ts"],
    // Of two processors, one of them the control plane's: a test mostly waits for that.
    maxWorkers: 3,
    // A test that hangs is meant, not a machine that is busy.
    testTimeout: 120_000,
  },
});

export default config;
