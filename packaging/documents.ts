import { readFileSync } from "node:fs";
import { join, normalize, dirname, resolve } from "node:path";
import type { Product } from "./product.ts";
import { projectRoot } from "./project.ts";
import type { TreeFile } from "./tree.ts";

/** The pages about a package, in the project's folders, so that their links work on a host without a network. */
export function documentFiles({ packageName, documents }: Product): readonly TreeFile[] {
  return documents.map((document) => ({
    to: `usr/share/doc/${packageName}/${document}`,
    text: shipped(document, documents),
  }));
}

/** Turns a link to an unshipped page into words, and leaves out comments for tests. */
function shipped(document: string, documents: readonly string[]): string {
  return readFileSync(resolve(projectRoot, document), "utf8")
    .replaceAll(/^<!-- .* -->\n/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replaceAll(/\[([^\]]+)\]\(([^)#:\s]+)(#[^)]*)?\)/g, (link, told: string, target: string) => {
      const path = normalize(join(dirname(document), target));
      return documents.includes(path) ? link : `${told} (${path} in the sources)`;
    });
}
