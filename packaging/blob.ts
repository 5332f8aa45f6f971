import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Bundle } from "./bundle.ts";
import type { ProgramName } from "./project.ts";
import { runTool } from "./tool.ts";

/** The head of V8's code cache, in bytes: magic, version, length of the source, then a hash of the flags it was made under. */
const sameInAnyRun = 12;
const flagHashLength = 4;
const settingsName = "sea.json";

/** The program as the runtime finds it inside of itself; gives the path of the file. */
export function makeBlob(
  { code, rare }: Pick<Bundle, "code" | "rare">,
  making: { name: ProgramName; runtime: readonly string[]; work: string },
): string {
  const { name, runtime, work } = making;
  const names = { main: `${name}.cjs`, output: `${name}.blob` };
  const blob = resolve(work, names.output);
  writeFileSync(resolve(work, names.main), code);
  const assets: Record<string, string> = {};
  for (const [rareName, text] of Object.entries(rare)) {
    assets[rareName] = `${rareName}.cjs`;
    writeFileSync(resolve(work, `${rareName}.cjs`), text);
  }
  // Relative names: the blob keeps the name of the main file, and must not tell where it was built.
  const settings = {
    ...names,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    // Deaf to NODE_OPTIONS: who may set a variable must not be able to load code into a program of root.
    execArgvExtension: "none",
    // Read before the first line of a program, and these win over OPENSSL_CONF and NODE_ICU_DATA: no configuration of OpenSSL, which
    // may name libraries to load, and no tables but the ones inside.
    execArgv: ["--openssl-config=/dev/null", "--icu-data-dir=/dev/null"],
    assets,
  };
  writeFileSync(resolve(work, settingsName), JSON.stringify(settings));
  const generate = (...flags: string[]) => {
    const [program = "", ...rest] = runtime;
    runTool([program, ...rest, ...flags, "--experimental-sea-config", settingsName], work);
    return readFileSync(blob);
  };
  writeFileSync(blob, reproducible(code, generate(), generate("--hash-seed=1", "--no-lazy")));
  return blob;
}

/**
 * Code caches of two runs differ by the random seed of V8's hash tables. Under a fixed seed they are the same, but then
 * the flags' hash says so, and a runtime without that flag throws the cache away. The content does not depend on the
 * seed (a cache always meets another one than it was made under), so the fixed one gets the plain run's flags' hash.
 */
function reproducible(code: string, plain: Buffer, fixed: Buffer): Buffer {
  const lengthOfCache = 8;
  const start = plain.indexOf(code) + Buffer.byteLength(code) + lengthOfCache;
  const flagHash = plain.subarray(start + sameInAnyRun, start + sameInAnyRun + flagHashLength);
  if (!plain.subarray(start, start + sameInAnyRun).equals(fixed.subarray(start, start + sameInAnyRun))) {
    throw new Error("the runtime's code cache does not begin as expected: build without it, or look at blob.ts");
  }
  return Buffer.concat([
    fixed.subarray(0, start + sameInAnyRun),
    flagHash,
    fixed.subarray(start + sameInAnyRun + flagHashLength),
  ]);
}
