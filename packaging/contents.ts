import { basename, resolve } from "node:path";
import { billOfMaterialsPath } from "./bill-of-materials.ts";
import { documentFiles } from "./documents.ts";
import { generatedFiles } from "./generated.ts";
import { noticesPath } from "./notices.ts";
import type { Product } from "./product.ts";
import { executablePath, projectRoot, type Architecture } from "./project.ts";
import type { TreeFile } from "./tree.ts";

/** Directories that differ between distributions. */
export type Places = { readonly zshCompletions: string; readonly licences: string };

/** The files of a package in any format. A format adds only what its distributions need. */
export function contents(product: Product, architecture: Architecture, places: Places): readonly TreeFile[] {
  const { packageName, program, alsoCalled, units, folders } = product;
  return [
    { to: `usr/bin/${program}`, from: executablePath(architecture, program), mode: 0o755 },
    ...alsoCalled.map((called) => ({ to: `usr/bin/${called.program}`, link: program })),
    ...units.map(unit),
    ...folders,
    ...generatedFiles(product, places),
    ...documentFiles(product),
    { to: `${places.licences}/third-party-notices.gz`, compressedFrom: noticesPath(program) },
    { to: `usr/share/doc/${packageName}/sbom.cdx.json`, from: billOfMaterialsPath(program, architecture) },
  ];
}

/** Puts a unit below /usr/lib, where systemd reads units on every distribution. dpkg would lose a file in /lib when /lib becomes a link. */
function unit(path: Product["units"][number]): TreeFile {
  return { to: `usr/lib/${path}`, from: resolve(projectRoot, "systemd", basename(path)) };
}
