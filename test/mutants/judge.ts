import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVitest, type Vitest } from "vitest/node";
import { plant, type Planted } from "./plant.ts";
import { isTestOf, startsPrograms, testsReaching } from "./reach.ts";
import type { Told } from "./runner.ts";

const root = join(import.meta.dirname, "../..");

export type Judgement = {
  readonly noticed: ReadonlySet<number>;
  /** Tests that cannot be run twice; what they reach is judged by a run of its own. */
  readonly onceOnly: readonly string[];
};

export type Judging = {
  readonly room: string;
  readonly mutants: readonly Planted[];
  readonly workers: number;
  /** A rule is asserted where it lives: most are noticed by the tests of the room itself. */
  readonly by: "the room's tests" | "all tests";
};

/**
 * By the tests of the room first, then by all others that import what is changed; those that start programs come after those that do not. A test is run with each mutant in turn, in one
 * process; a mutant that counts only while a file is loaded, or is reached by a test that can be run only once, gets processes of its own.
 */
export async function judge({ room, mutants, workers, by }: Judging): Promise<Judgement> {
  const directory = mkdtempSync(join(tmpdir(), "mutants-"));
  const told = join(directory, "told");
  writeFileSync(told, "");
  const files = [...new Set(mutants.map(({ file }) => file))];
  const planted = new Map(
    files.map((file) => {
      const source = readFileSync(join(root, file), "utf8");
      const here = mutants.filter((mutant) => mutant.file === file);
      return [join(root, file), plant(source, here)];
    }),
  );
  const start = (fixed: number): Promise<Vitest> => vitestWith(planted, { told, fixed, workers });
  try {
    const isNear = (path: string): boolean => isTestOf(room, path);
    const candidates = testsReaching(files).filter((path) => by === "all tests" || isNear(path));
    const [near, far] = [candidates.filter(isNear), candidates.filter((path) => !isNear(path))];
    const quick = (path: string): boolean => !startsPrograms(path);
    const slow = (path: string): boolean => !quick(path);
    for (const paths of [near.filter(quick), near.filter(slow), far.filter(quick), far.filter(slow)]) {
      if (paths.length > 0 && read(told).noticed.size < mutants.length) await runAll(await start(0), paths);
    }
    const { noticed, atLoad, onceOnly } = read(told);
    const once = new Set(onceOnly.map(({ file }) => file));
    for (const { id, file: changed } of mutants.filter((one) => !noticed.has(one.id))) {
      const importing = new Set(testsReaching([changed]));
      const judges = candidates.filter((path) => importing.has(path) && (atLoad.has(id) || once.has(path)));
      for (const paths of [judges.filter(quick), judges.filter(slow)]) {
        if (paths.length > 0 && !noticed.has(id) && (await fails(await start(id), paths))) noticed.add(id);
      }
    }
    return { noticed, onceOnly: onceOnly.map(({ file, test }) => `${file} > ${test}`) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Read = {
  readonly noticed: Set<number>;
  readonly atLoad: ReadonlySet<number>;
  readonly onceOnly: readonly { readonly file: string; readonly test: string }[];
};

function read(path: string): Read {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Told);
  return {
    noticed: new Set(lines.flatMap((one) => (one.kind === "noticed" ? [one.id] : []))),
    atLoad: new Set(lines.flatMap((one) => (one.kind === "at load" ? [one.id] : []))),
    onceOnly: lines.flatMap((one) => (one.kind === "once only" ? [one] : [])),
  };
}

type With = { readonly told: string; readonly fixed: number; readonly workers: number };

function vitestWith(planted: ReadonlyMap<string, string>, { told, fixed, workers }: With): Promise<Vitest> {
  const env = { MUTANTS_TOLD: told, MUTANTS_FIXED: String(fixed) };
  return createVitest(
    "test",
    {
      config: join(root, "test/vitest.config.ts"),
      runner: join(import.meta.dirname, "runner.ts"),
      watch: false,
      reporters: [{}],
      maxWorkers: workers,
      bail: fixed === 0 ? 0 : 1,
      env,
      // It would give back files that were planted by another run.
      fsModuleCache: false,
      dangerouslyIgnoreUnhandledErrors: true,
    },
    { plugins: [{ name: "mutants", enforce: "pre", transform: (_code, id) => planted.get(id.split("?")[0] ?? id) }] },
  );
}

async function runAll(vitest: Vitest, paths: readonly string[]): Promise<void> {
  for (const module of await modulesOf(vitest, paths)) {
    for (const { message } of module.errors()) throw new Error(`${module.relativeModuleId} cannot be loaded: ${message}`);
  }
}

async function fails(vitest: Vitest, paths: readonly string[]): Promise<boolean> {
  return (await modulesOf(vitest, paths)).some((module) => !module.ok());
}

async function modulesOf(
  vitest: Vitest,
  paths: readonly string[],
): Promise<Awaited<ReturnType<Vitest["runTestSpecifications"]>>["testModules"]> {
  try {
    await vitest.standalone();
    const project = vitest.getRootProject();
    const specifications = paths.map((path) => project.createSpecification(join(root, path)));
    return (await vitest.runTestSpecifications(specifications)).testModules;
  } finally {
    await vitest.close();
  }
}
