import assert from "node:assert";
import type * as VersionModule from "../../../src/rules/version/version.ts";
import type * as WrappedModule from "../../../src/rules/version/wrapped.ts";
import type * as SpokenModule from "../../../src/rules/version/spoken.ts";
import { near } from "../mutate.ts";
import { moduleOf } from "../source.ts";
import { taken, target, type Target } from "../target.ts";
import { packageVersionText, versionText } from "../texts.ts";

const version: Target = target({
  name: "version",
  generate: near(versionText),
  load: async (source) => {
    const { parseVersion } = await moduleOf<typeof VersionModule>(source, "rules/version/version.ts");
    return { read: (input) => taken(parseVersion(input)), print: (value) => value };
  },
});

const packageVersion: Target = target({
  name: "package-version",
  generate: near(packageVersionText),
  load: async (source) => {
    const { parseVersion } = await moduleOf<typeof VersionModule>(source, "rules/version/version.ts");
    const { parsePackageVersion, wrappedVersion } = await moduleOf<typeof WrappedModule>(source, "rules/version/wrapped.ts");
    return {
      read: (input) => {
        const found = parsePackageVersion(input);
        const wrapped = found && wrappedVersion(found);
        if (wrapped !== undefined) assert.equal(parseVersion(wrapped), wrapped);
        return taken(found);
      },
      print: (value) => value,
    };
  },
});

const spoken: Target = target({
  name: "spoken-version",
  generate: near((random) => {
    const words = ["svc", "version", "git:v15.4.6-0-gabc", "go1.22.3", "(linux)", "", "1.2", versionText(random)];
    const padding = random.onceIn(20) ? "x ".repeat(2040 + random.below(12)) : "";
    return padding + random.several(1, 6, () => random.pick(words)).join(random.pick([" ", ", ", "\n", ";", "\t"]));
  }),
  load: async (source) => {
    const { spokenVersion } = await moduleOf<typeof SpokenModule>(source, "rules/version/spoken.ts");
    return { read: (input) => taken(spokenVersion(input)), print: (value) => value };
  },
});

export const versionTargets: readonly Target[] = [version, packageVersion, spoken];
