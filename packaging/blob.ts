import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Bundle } from "./bundle.ts";
import { codeCaches, type Runner } from "./code-cache.ts";
import { cacheKey, loader } from "./loader.ts";
import type { ProgramName } from "./project.ts";
import { runTool } from "./tool.ts";

const settingsName = "sea.json";

/** The runtime's own arguments. A connection of the updater's names its authorities, always: those that the runtime has inside are not read. */
const ownArguments: Readonly<Record<ProgramName, readonly string[]>> = {
  "svc-upgrade": ["--use-openssl-ca"],
  "svc-proxy": [],
};

export type Making = {
  readonly name: ProgramName;
  /** Of the machine that builds: it puts the program together, for whichever architecture. */
  readonly runtime: string;
  /** A code cache is made by the architecture's own runtime. */
  readonly runner: Runner;
  readonly work: string;
};

/** The program as the runtime finds it inside of itself; gives the path of the file. */
export function makeBlob({ parts, entry }: Bundle, { name, runtime, runner, work }: Making): string {
  const inWork = (file: string): string => resolve(work, file);
  const assets: Record<string, string> = {};
  for (const part of parts) {
    assets[part.name] = `${part.name}.txt`;
    writeFileSync(inWork(`${part.name}.txt`), part.text);
  }
  // The large packages are read so seldom that a cache of theirs would only be weight.
  const cached = parts.filter(({ isOwn }) => isOwn).map((part) => part.name);
  const texts = cached.map((part) => inWork(`${part}.txt`));
  for (const [index, cache] of codeCaches(texts, runner).entries()) {
    const key = cacheKey(cached[index]!);
    assets[key] = key;
    writeFileSync(inWork(key), cache);
  }
  // Relative names: the blob keeps the name of the main file, and must not tell where it was built.
  const names = { main: `${name}.cjs`, output: `${name}.blob` };
  writeFileSync(inWork(names.main), loader(parts, entry, cached));
  const settings = {
    ...names,
    disableExperimentalSEAWarning: true,
    // Deaf to NODE_OPTIONS: who may set a variable must not be able to load code into a program of root.
    execArgvExtension: "none",
    // Read before the first line of a program, and these win over OPENSSL_CONF and NODE_ICU_DATA: no configuration of OpenSSL, which
    // may name libraries to load, and no tables but the ones inside.
    execArgv: ["--openssl-config=/dev/null", "--icu-data-dir=/dev/null", ...ownArguments[name]],
    assets,
  };
  writeFileSync(inWork(settingsName), JSON.stringify(settings));
  runTool([runtime, "--experimental-sea-config", settingsName], work);
  return inWork(names.output);
}
