import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { projectRoot, type ProgramName } from "./project.ts";
import { runTool } from "./tool.ts";

/** The beginning of V8's code cache, in bytes: magic, version and length of the source, then a hash of the flags. */
const sameInAnyRun = 12;
const flagHashLength = 4;

/** How to run an architecture's runtime: an emulator if one is needed, its path, and its flags. */
export type Runner = readonly string[];

const compiler = resolve(projectRoot, "packaging/cache/compile.cjs");

/**
 * V8's flags. V8 begins with a large space for young objects: a tick's process fills less than that in its whole life, but would collect garbage twice
 * in the usual space (`--trace-gc`). Auth's space does not grow, as it would when it reads 100,000 instances (`npm run bench:cluster -- --storage
 * postgresql`). The updater for Kubernetes runs for months, and keeps little garbage (`npm run bench:kube`). V8 refuses a cache made under other flags.
 */
export function engineFlags(program: ProgramName): readonly string[] {
  if (program === "svc-kube-updater") return ["--optimize-for-size", "--max-semi-space-size=2"];
  return ["--min-semi-space-size=8", ...(program === "svc" ? ["--max-semi-space-size=8"] : [])];
}

/**
 * Makes equal code caches in every run. They usually differ by the random seed of V8's hash tables. A fixed seed makes them equal but changes the
 * flags' hash, and a runtime without that flag refuses the cache. The content does not depend on the seed, so the cache gets the hash of a plain run.
 */
export function codeCaches(texts: readonly string[], runner: Runner): readonly Buffer[] {
  const made = (...flags: readonly string[]): readonly Buffer[] => {
    const [program = "", ...rest] = runner;
    runTool([program, ...rest, ...flags, compiler, ...texts]);
    return texts.map((path) => readFileSync(`${path}.cache`));
  };
  const plain = made();
  const fixed = made(...reproducibly);
  return fixed.map((cache, index) => withFlagHashOf(plain[index]!, cache));
}

export const reproducibly: readonly string[] = ["--hash-seed=1", "--no-lazy"];

export function withFlagHashOf(plain: Buffer, fixed: Buffer): Buffer {
  if (!plain.subarray(0, sameInAnyRun).equals(fixed.subarray(0, sameInAnyRun))) {
    throw new Error("the runtime's code cache does not begin as expected: build without it, or look at code-cache.ts");
  }
  const flagHash = plain.subarray(sameInAnyRun, sameInAnyRun + flagHashLength);
  return Buffer.concat([fixed.subarray(0, sameInAnyRun), flagHash, fixed.subarray(sameInAnyRun + flagHashLength)]);
}
