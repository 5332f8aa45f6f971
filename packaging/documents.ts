import { readFileSync } from "node:fs";
import { join, normalize, dirname, resolve } from "node:path";
import type { Product } from "./product.ts";
import { projectRoot } from "./project.ts";
import type { TreeFile } from "./tree.ts";

/** The pages that concern a package, in the folders that they have in the project: a host without a network has them, links among them too. */
export function documentFiles({ packageName, documents }: Product): readonly TreeFile[] {
  return documents.map((document) => ({
    to: `usr/share/doc/${packageName}/${document}`,
    text: shipped(document, documents),
  }));
}

/** A link to what is not shipped is told in words; comments for tests are left out. */
function shipped(document: string, documents: readonly string[]): string {
  return readFileSync(resolve(projectRoot, document), "utf8")
    .replaceAll(/^<!-- .* -->\n/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replaceAll(/\[([^\]]+)\]\(([^)#:\s]+)(#[^)]*)?\)/g, (link, told: string, target: string) => {
      const path = normalize(join(dirname(document), target));
      return documents.includes(path) ? link : `${told} (${path} in the sources)`;
    });
}
