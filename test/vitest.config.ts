import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/** A JSON report goes there as well, for CI to name what failed: `npm run check` passes no option on to this suite. */
const report = process.env["TEST_REPORT"];

const pure =
  "src/*/{text,fault,shape,version,window,route,channel,settings,decide,rollout,plan,record,sentences,metrics,exposition,server-rules,access,resource,services,objects}/**";
/** They change hosts. Never to be lowered. */
const changing = ["src/updater/pass/**", "src/updater/package/**", "src/updater/unit/**"];

/** A list of test files that passed whole a moment ago, in the gate's fresh root: only those are played again that a threshold counts. */
const played = process.env["PLAYED_WHOLE"];
const playedWhole =
  played === undefined
    ? []
    : readFileSync(played, "utf8")
        .split("\n")
        .filter((file) => file !== "");
const counted = [pure, ...changing].map((room) => room.replace("src/", "test/"));

const config: ViteUserConfig = defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [
      "test/system/**",
      "test/kube/system/**",
      ...playedWhole.filter((file) => !counted.some((room) => matchesGlob(file, room))),
    ],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    setupFiles: ["test/properties.ts"],
    // No module of the program keeps anything between two calls; a worker of its own for each file would double the time.
    isolate: false,
    // Programs that tests start from their source are compiled once, not at every start: half of what such a test costs.
    env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/../node_modules/.cache/compiled` },
    // These end a test that hangs; on a busy machine a good one may take a while.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
    // Half of the time a test waits, for a program or a deadline: twice the two processors of a small machine.
    maxWorkers: 4,
    // A fork copies the page tables of its worker: with a gigabyte of garbage in it, the programs that tests start cost twice.
    execArgv: ["--max-old-space-size=400"],
    coverage: {
      provider: "v8",
      include: [pure, ...changing],
      reporter: ["text-summary"],
      thresholds: {
        [pure]: { branches: 100, functions: 100 },
        ...Object.fromEntries(changing.map((room) => [room, { branches: 90 }])),
      },
    },
  },
});

export default config;
