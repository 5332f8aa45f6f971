import { relative } from "node:path";
import { mergeConfig, type ViteUserConfig } from "vitest/config";
import type { Reporter, TestModule } from "vitest/node";
import { gateFiles, gatePattern, missingFrom } from "./gate.ts";
import system from "./vitest.config.ts";

/** Makes the run fail where the list names a test that is not there. */
const comparesList: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const found = new Map(
      modules.map((module) => [
        relative(import.meta.dirname, module.moduleId),
        [...module.children.allTests()].map(({ fullName }) => fullName),
      ]),
    );
    const missing = missingFrom(found);
    if (missing.length === 0) return;
    console.error(["The gate's list (test/system/gate.ts) names what is not there:", ...missing].join("\n  "));
    process.exitCode = 1;
  },
};

const gate: ViteUserConfig = {
  test: {
    testNamePattern: gatePattern(),
    setupFiles: ["test/system/begun.ts"],
    reporters: [comparesList],
    // One more than is played again: such a run is lost, whatever else it would find.
    bail: 6,
  },
};

const config: ViteUserConfig = mergeConfig(system, gate);
config.test = { ...config.test, include: gateFiles().map((file) => `test/system/${file}`) };

export default config;
