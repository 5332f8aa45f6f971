import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Bundle } from "./bundle.ts";
import { codeCaches, engineFlags, reproducibly, withFlagHashOf, type Runner } from "./code-cache.ts";
import { cacheKey, loader } from "./loader.ts";
import type { ProgramName } from "./project.ts";
import { runTool } from "./tool.ts";

const settingsName = "sea.json";

export type Making = {
  readonly name: ProgramName;
  /** Runs the architecture's own runtime, which must make the code cache. */
  readonly runner: Runner;
  readonly work: string;
};

/** Makes the program's blob for the runtime, and returns its path. */
export function makeBlob({ parts, entry }: Bundle, { name, runner: plainRunner, work }: Making): string {
  const runner = [...plainRunner, ...engineFlags(name)];
  const inWork = (file: string): string => resolve(work, file);
  const assets: Record<string, string> = {};
  for (const part of parts) {
    assets[part.name] = `${part.name}.txt`;
    writeFileSync(inWork(`${part.name}.txt`), part.text);
  }
  // Leaves large packages out of the cache: they are loaded so seldom that a cache would only make the file larger.
  const cached = parts.filter(({ isOwn }) => isOwn).map((part) => part.name);
  const texts = cached.map((part) => inWork(`${part}.txt`));
  for (const [index, cache] of codeCaches(texts, runner).entries()) {
    const key = cacheKey(cached[index]!);
    assets[key] = key;
    writeFileSync(inWork(key), cache);
  }
  // Uses relative names: the blob contains the main file's name, which would show where it was built.
  const names = { main: `${name}.cjs`, output: `${name}.blob` };
  const first = loader(parts, entry, cached);
  writeFileSync(inWork(names.main), first);
  const settings = {
    ...names,
    disableExperimentalSEAWarning: true,
    // Without this cache, the runtime would read one from NODE_COMPILE_CACHE before the first line.
    useCodeCache: true,
    // Ignores NODE_OPTIONS: a user who sets variables must not load code into a program of root.
    execArgvExtension: "none",
    // Uses no OpenSSL configuration, which may name libraries to load, and only the built-in tables. The runtime reads these options before a
    // program's first line, and they win over OPENSSL_CONF and NODE_ICU_DATA.
    execArgv: ["--openssl-config=/dev/null", "--icu-data-dir=/dev/null", ...engineFlags(name)],
    assets,
  };
  writeFileSync(inWork(settingsName), JSON.stringify(settings));
  const [program = "", ...rest] = runner;
  const generate = (...flags: readonly string[]): Buffer => {
    runTool([program, ...rest, ...flags, "--experimental-sea-config", settingsName], work);
    return readFileSync(inWork(names.output));
  };
  const [plain, fixed] = [generate(), generate(...reproducibly)];
  const lengthOfCache = 8;
  const start = plain.indexOf(first) + Buffer.byteLength(first) + lengthOfCache;
  const cache = withFlagHashOf(plain.subarray(start), fixed.subarray(start));
  writeFileSync(inWork(names.output), Buffer.concat([fixed.subarray(0, start), cache]));
  return inWork(names.output);
}
