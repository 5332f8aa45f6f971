// npm run image [-- svc | svc-kube-updater] [amd64 | arm64] [--cluster-version X] builds dist/image-<program>/, an OCI layout with the executable and
// a few libraries of Debian for each architecture. `skopeo copy --all oci:dist/image-svc:15.4.5 docker://…` uploads it.
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { named, refuseUnknown, withoutClusterVersion } from "./asked.ts";
import { filesFor } from "./generated.ts";
import { buildExecutables } from "./executables.ts";
import { noticesPath } from "./notices.ts";
import { kubeUpdater } from "./products/kube-updater.ts";
import { makeBase } from "./oci/base.ts";
import { writeLayout } from "./oci/layout.ts";
import { architectures, distFolder, executablePath, versionOf, workFolder, type Architecture } from "./project.ts";
import { runScript } from "./script.ts";
import { fillTree } from "./tree.ts";

/** The images for Kubernetes, with their names and descriptions. */
const images = {
  svc: { alsoCalled: ["tctl", "tsh"], title: "an agent, the services of a cluster, and what administers it", generated: [] },
  "svc-kube-updater": {
    alsoCalled: [],
    title: "keeps the agents of a namespace on the version that their cluster serves",
    generated: filesFor(kubeUpdater, versionOf("svc-kube-updater"), { zshCompletions: "usr/share/zsh/vendor-completions" }),
  },
} as const;
type Imaged = keyof typeof images;
const imaged = Object.keys(images) as Imaged[];

await runScript(async () => {
  const words = withoutClusterVersion(process.argv.slice(2));
  refuseUnknown(words, [...imaged, ...architectures]);
  const wanted = named(imaged, words);
  const wantedArchitectures = named(architectures, words);
  const bases = new Map(wantedArchitectures.map((architecture) => [architecture, makeBase(architecture)]));
  await buildExecutables(wanted, wantedArchitectures);
  for (const program of wanted) {
    const folder = join(distFolder, `image-${program}`);
    writeLayout(folder, {
      version: versionOf(program),
      labels: {
        "org.opencontainers.image.title": program,
        "org.opencontainers.image.description": images[program].title,
        "org.opencontainers.image.version": versionOf(program),
        "org.opencontainers.image.licenses": "Apache-2.0",
      },
      entrypoint: [`/usr/bin/${program}`],
      layers: wantedArchitectures.map((architecture) => ({
        architecture,
        trees: [bases.get(architecture)!, programTree(program, architecture)],
      })),
    });
    console.log(folder);
  }
});

function programTree(program: Imaged, architecture: Architecture): string {
  const tree = resolve(workFolder(architecture, program), "image");
  rmSync(tree, { recursive: true, force: true });
  fillTree(tree, [
    { to: `usr/bin/${program}`, from: executablePath(architecture, program), mode: 0o755 },
    ...images[program].alsoCalled.map((name) => ({ to: `usr/bin/${name}`, link: program })),
    ...images[program].generated,
    { to: `usr/share/doc/${program}/third-party-notices.gz`, compressedFrom: noticesPath(program) },
  ]);
  return tree;
}
