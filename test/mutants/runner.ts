import { appendFileSync, readFileSync } from "node:fs";
import { TestRunner, type RunnerTestCase, type TestTryOptions } from "vitest";
import { turn } from "./plant.ts";

/** What the processes that run tests tell, a line each. */
export type Told =
  | { readonly kind: "noticed"; readonly id: number; readonly by: string }
  /** Asked for while a file was loaded: no test could change its mind after that. */
  | { readonly kind: "at load"; readonly id: number }
  /** Fails when it is run a second time, or had failed already: it judges only mutants that are on from the start. */
  | { readonly kind: "once only"; readonly file: string; readonly test: string };

/** One that asks more often than this has been set going for ever. */
const mostAsked = 300_000;
/** A mutant that many slow tests reach is not held against all of them. */
const mostMsEach = 30_000;

type Shared = {
  readonly path: string;
  /** The one that is on from the start; 0: each has its turn. */
  readonly fixed: number;
  on: number;
  asked: number;
  inTest: boolean;
  readonly reached: Set<number>;
  readonly atLoad: Set<number>;
  readonly spentMs: Map<number, number>;
};

const shared: Shared = ((globalThis as { mutants?: Shared }).mutants ??= {
  path: process.env["MUTANTS_TOLD"] ?? "",
  fixed: Number(process.env["MUTANTS_FIXED"] ?? 0),
  on: Number(process.env["MUTANTS_FIXED"] ?? 0),
  asked: 0,
  inTest: false,
  reached: new Set(),
  atLoad: new Set(),
  spentMs: new Map(),
});

(globalThis as unknown as Record<string, (id: number) => boolean>)[turn] = (id) => {
  if (!shared.inTest && !shared.atLoad.has(id)) {
    shared.atLoad.add(id);
    tell({ kind: "at load", id });
  }
  shared.reached.add(id);
  if (id !== shared.on) return false;
  shared.asked += 1;
  if (shared.asked > mostAsked) throw new Error("it goes on for ever");
  return true;
};

function tell(told: Told): void {
  appendFileSync(shared.path, `${JSON.stringify(told)}\n`);
}

/** Those that any process has noticed, or that must not be tried any more. */
function noticed(): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const line of readFileSync(shared.path, "utf8").split("\n")) {
    const told = line.endsWith("}") ? (JSON.parse(line) as Told) : undefined;
    if (told?.kind === "noticed") ids.add(told.id);
  }
  return ids;
}

type Trying = {
  readonly usualMs: number;
  readonly left: number[];
  /** The one that failed, if it was not the test itself. */
  suspect: number | undefined;
};

/** Runs each test once as it is, and then once with each mutant that it has reached and that nothing has noticed yet. */
export default class MutantRunner extends TestRunner {
  #trying: Trying | undefined;
  #beganMs = 0;

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#trying = undefined;
    if (shared.fixed === 0) test.repeats = 1_000_000;
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    shared.inTest = true;
    shared.asked = 0;
    if (shared.fixed !== 0) return;
    if (this.#trying === undefined) shared.reached.clear();
    const { suspect, left } = this.#trying ?? { suspect: undefined, left: [] };
    shared.on = suspect === undefined ? (left[0] ?? 0) : 0;
    this.#beganMs = performance.now();
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    const longestMs = this.#trying === undefined ? Infinity : 5000 + 20 * this.#trying.usualMs;
    if (longestMs === Infinity) return run();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("it does not end")), longestMs);
    });
    try {
      await Promise.race([run(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    shared.inTest = false;
    if (shared.fixed !== 0) return;
    const on = shared.on;
    shared.on = 0;
    const hasFailed = test.result?.state === "fail";
    if (test.result !== undefined) test.result = { ...test.result, state: "run", attempts: [] };
    delete test.result?.errors;
    const tookMs = performance.now() - this.#beganMs;
    const isOver = this.#judge(test, { on, hasFailed, tookMs });
    // What is called pending is left alone from there on.
    if (isOver && test.result !== undefined) Object.assign(test.result, { pending: true });
  }

  #judge(test: RunnerTestCase, { on, hasFailed, tookMs }: { on: number; hasFailed: boolean; tookMs: number }): boolean {
    const file = test.file.name;
    const onceOnly = (): true => {
      tell({ kind: "once only", file, test: test.name });
      return true;
    };
    if (this.#trying === undefined) {
      if (hasFailed) return onceOnly();
      const known = noticed();
      const left = [...shared.reached].filter((id) => !known.has(id) && (shared.spentMs.get(id) ?? 0) < mostMsEach);
      this.#trying = { usualMs: tookMs, left, suspect: undefined };
      return left.length === 0;
    }
    const trying = this.#trying;
    if (trying.suspect !== undefined) {
      // It was run as it is once more.
      if (hasFailed) return onceOnly();
      tell({ kind: "noticed", id: trying.suspect, by: `${file} > ${test.name}` });
      trying.suspect = undefined;
    } else {
      trying.left.shift();
      shared.spentMs.set(on, (shared.spentMs.get(on) ?? 0) + tookMs);
      if (hasFailed) trying.suspect = on;
    }
    return trying.suspect === undefined && trying.left.length === 0;
  }
}
