// npm run package [-- amd64 | arm64] [deb | rpm]: one package for each architecture and format, around a fresh executable.
import { makeDeb } from "./deb/package.ts";
import { buildExecutables } from "./executables.ts";
import { architectures, formats, type Architecture, type Format } from "./project.ts";
import { makeRpm } from "./rpm/package.ts";
import { runScript } from "./script.ts";
import { firstTool } from "./tool.ts";

type Maker = { readonly tool: string; readonly hint: string; readonly make: (architecture: Architecture) => string };

const makers: Readonly<Record<Format, Maker>> = {
  deb: {
    tool: "dpkg-deb",
    hint: "install the package dpkg, or build the other format alone: npm run package -- rpm",
    make: makeDeb,
  },
  rpm: {
    tool: "rpmbuild",
    hint: "install the package rpm (Debian, Ubuntu) or rpm-build (others), or build the other format alone: npm run package -- deb",
    make: makeRpm,
  },
};

await runScript(async () => {
  const words = process.argv.slice(2);
  const wantedArchitectures = named(architectures, words);
  const wantedFormats = named(formats, words);
  const known: readonly string[] = [...architectures, ...formats];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) throw new Error(`"${unknown}" is none of ${known.join(", ")}`);
  // Before the long work, not after it.
  for (const format of wantedFormats) firstTool([makers[format].tool], makers[format].hint);
  await buildExecutables(wantedArchitectures);
  for (const architecture of wantedArchitectures) {
    for (const format of wantedFormats) console.log(makers[format].make(architecture));
  }
});

/** All of them where none is named. */
function named<T extends string>(all: readonly T[], words: readonly string[]): readonly T[] {
  const found = all.filter((one) => words.includes(one));
  return found.length > 0 ? found : all;
}
