import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { mergeConfig, type ViteUserConfig } from "vitest/config";
import type { Reporter, TestModule } from "vitest/node";

/** `titles`: how the full titles ("group > test") of the tests begin that are played. */
export type Played = { readonly file: string; readonly titles: readonly string[]; readonly proves: string };

export type GateList = {
  /** Of the project; the list itself is its gate.ts. */
  readonly folder: string;
  readonly played: readonly Played[];
};

/** A whole run's configuration, of which the tests of the list alone are played. */
export function gateConfig(whole: ViteUserConfig, list: GateList): ViteUserConfig {
  const gate: ViteUserConfig = {
    test: {
      testNamePattern: patternOf(list),
      setupFiles: ["test/system/begun.ts"],
      reporters: [comparing(list)],
      // One more than is played again: such a run is lost, whatever else it would find.
      bail: 6,
    },
  };
  const config: ViteUserConfig = mergeConfig(whole, gate);
  const files = [...new Set(list.played.map(({ file }) => file))];
  config.test = { ...config.test, include: files.map((file) => `${list.folder}/${file}`) };
  return config;
}

/** vitest compares it with the full title: those of the groups and of the test, with " > " between. */
function patternOf({ played }: GateList): RegExp {
  const beginnings = played.flatMap(({ titles }) => titles).map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^(?:${beginnings.join("|")})`);
}

/** Makes the run fail where the list names a test that is not there. */
function comparing(list: GateList): Reporter {
  const folder = join(import.meta.dirname, "..", list.folder);
  return {
    onTestRunEnd(modules: readonly TestModule[]) {
      const found = new Map(
        modules.map((module) => [
          relative(folder, module.moduleId),
          [...module.children.allTests()].map(({ fullName }) => fullName),
        ]),
      );
      const missing = missingFrom(list, folder, found);
      if (missing.length === 0) return;
      console.error([`The gate's list (${list.folder}/gate.ts) names what is not there:`, ...missing].join("\n  "));
      process.exitCode = 1;
    },
  };
}

/** What the list names and nobody finds: a renamed test would leave the gate without a word. `found`: the full titles in a file. */
function missingFrom({ played }: GateList, folder: string, found: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return played.flatMap(({ file, titles }) => {
    if (!existsSync(join(folder, file))) return [`${file}: there is no such file`];
    const there = found.get(file);
    if (there === undefined) return [];
    return titles
      .filter((title) => !there.some((each) => each.startsWith(title)))
      .map((title) => `${file}: no title begins with "${title}"`);
  });
}
