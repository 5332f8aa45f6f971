import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A scenario takes seconds; the first on a machine also builds its base root, over the network. */
const longestScenarioMs = 300_000;

/** Begun last, one of these would run on alone: the columns of the table, the campaign, whatever plays many passes on one host. */
const longest =
  /\/test\/system\/(?:table\/.*|sets\/.*|debian-sets|faults|five-minutes|hostile|health|history|install-script|notify|other-agent|(?:rpm-)?package|rollback|rpm-files|(?:svc-)?proxy|trial|way-back)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** A JSON report goes there as well, for CI to count from. */
const report = process.env["TEST_REPORT"];

const config: ViteUserConfig = defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ["test/system/**/*.test.ts"],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    globalSetup: ["test/system/lab/setup.ts"],
    sequence: { sequencer: LongestFirst },
    // A scenario mostly waits for its host. More at a time than two processors bear would make the deadlines dishonest.
    maxWorkers: 5,
    testTimeout: longestScenarioMs,
    hookTimeout: longestScenarioMs,
  },
});

export default config;
