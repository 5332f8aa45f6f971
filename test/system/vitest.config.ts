import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A scenario takes seconds; the first on a machine also builds its base root, over the network. */
const longestScenarioMs = 300_000;

/** A column of the table takes longer than any other file: begun last, it would run on alone. */
class TableFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isColumn = ({ moduleId }: TestSpecification): boolean => moduleId.includes("/test/system/table/");
    const sorted = await super.sort(files);
    return [...sorted.filter(isColumn), ...sorted.filter((file) => !isColumn(file))];
  }
}

const config: ViteUserConfig = defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ["test/system/**/*.test.ts"],
    globalSetup: ["test/system/lab/setup.ts"],
    sequence: { sequencer: TableFirst },
    // A scenario mostly waits for its host. More at a time than two processors bear would make the deadlines dishonest.
    maxWorkers: 4,
    testTimeout: longestScenarioMs,
    hookTimeout: longestScenarioMs,
  },
});

export default config;
