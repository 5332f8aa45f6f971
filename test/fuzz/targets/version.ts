import type * as VersionModule from "../../../src/version/version.ts";
import type * as WrappedModule from "../../../src/version/wrapped.ts";
import type * as SpokenModule from "../../../src/version/spoken.ts";
import { compare } from "../compare.ts";
import { naivePackageVersion, naiveSpoken, naiveVersion, naiveWrapped } from "../naive/version.ts";
import { moduleOf } from "../source.ts";
import { target, type Target } from "../target.ts";
import { near, packageVersionText, versionText } from "../texts.ts";

const version: Target = target({
  name: "version",
  generate: near(versionText),
  load: async (source) => {
    const { parseVersion } = await moduleOf<typeof VersionModule>(source, "version/version.ts");
    return (input) => compare(parseVersion(input), naiveVersion(input));
  },
});

const packageVersion: Target = target({
  name: "package-version",
  generate: near(packageVersionText),
  load: async (source) => {
    const { parsePackageVersion } = await moduleOf<typeof WrappedModule>(source, "version/wrapped.ts");
    return (input) => compare(parsePackageVersion(input), naivePackageVersion(input));
  },
});

const wrapped: Target = target({
  name: "wrapped-version",
  generate: near(packageVersionText),
  load: async (source) => {
    const { parsePackageVersion, wrappedVersion } = await moduleOf<typeof WrappedModule>(source, "version/wrapped.ts");
    return (input) => {
      const found = parsePackageVersion(input);
      return compare(found && wrappedVersion(found), naivePackageVersion(input) && naiveWrapped(input));
    };
  },
});

const spoken: Target = target({
  name: "spoken-version",
  generate: near((random) => {
    const words = ["svc", "Enterprise", "version", "git:v15.4.6-0-gabc", "go1.22.3", "(linux)", "", "1.2", versionText(random)];
    const padding = random.onceIn(20) ? "x ".repeat(2040 + random.below(12)) : "";
    return padding + random.several(1, 6, () => random.pick(words)).join(random.pick([" ", ", ", "\n", ";", "\t"]));
  }),
  load: async (source) => {
    const { spokenVersion } = await moduleOf<typeof SpokenModule>(source, "version/spoken.ts");
    return (input) => compare(spokenVersion(input), naiveSpoken(input));
  },
});

export const versionTargets: readonly Target[] = [version, packageVersion, wrapped, spoken];
