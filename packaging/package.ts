// npm run package [-- svc-upgrade | svc-proxy | svc] [amd64 | arm64] [deb | rpm] [quick] [--cluster-version X] builds a package of each program for
// each architecture and format, with a new executable. "quick" packs loosely, for one's own hosts: it saves minutes, and the package is larger by
// half. A cluster's programs have the given version, otherwise the one in package.json.
import { named, refuseUnknown, withoutClusterVersion } from "./asked.ts";
import { makeDeb } from "./deb/package.ts";
import { buildExecutables } from "./executables.ts";
import type { Product } from "./product.ts";
import { products } from "./products/products.ts";
import { architectures, formats, type Architecture, type Format } from "./project.ts";
import { makeRpm } from "./rpm/package.ts";
import { runScript } from "./script.ts";
import { firstTool } from "./tool.ts";
import type { Packing } from "./tree.ts";

type Maker = {
  readonly tool: string;
  readonly hint: string;
  readonly make: (architecture: Architecture, product: Product, packing: Packing) => string;
};

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
  const words = withoutClusterVersion(process.argv.slice(2));
  const packaged = products.map(({ program }) => program);
  refuseUnknown(words, [...packaged, ...architectures, ...formats, "quick"]);
  const wantedPrograms = named(packaged, words);
  const wantedArchitectures = named(architectures, words);
  const wantedFormats = named(formats, words);
  const packing: Packing = words.includes("quick") ? "loose" : "tight";
  // Checks the tools first, so that a missing one fails before the long build.
  for (const format of wantedFormats) firstTool([makers[format].tool], makers[format].hint);
  await buildExecutables(wantedPrograms, wantedArchitectures);
  for (const product of products.filter(({ program }) => wantedPrograms.includes(program))) {
    for (const architecture of wantedArchitectures) {
      for (const format of wantedFormats) console.log(makers[format].make(architecture, product, packing));
    }
  }
});
