import { bashCompletion } from "./completions/bash.ts";
import { fishCompletion } from "./completions/fish.ts";
import { zshCompletion } from "./completions/zsh.ts";
import { manualPage } from "./man/page.ts";
import type { Product } from "./product.ts";
import { buildDate, projectVersion } from "./project.ts";
import { schemaFiles } from "./schemas/schemas.ts";
import type { TreeFile } from "./tree.ts";

/** What people, shells and other programs read about the program, made from its own tables: it cannot say anything else. */
export function generatedFiles(product: Product, { zshCompletions }: { readonly zshCompletions: string }): readonly TreeFile[] {
  const { program } = product;
  const page = manualPage(product, { version: projectVersion, unixSeconds: buildDate() });
  const schemas = Object.entries(schemaFiles(product));
  return [
    { to: `usr/share/man/man8/${program}.8.gz`, compressed: page },
    { to: `usr/share/bash-completion/completions/${program}`, text: bashCompletion(product) },
    { to: `${zshCompletions}/_${program}`, text: zshCompletion(product) },
    { to: `usr/share/fish/vendor_completions.d/${program}.fish`, text: fishCompletion(product) },
    ...schemas.map(([name, schema]) => ({
      to: `usr/share/${program}/schemas/${name}`,
      text: `${JSON.stringify(schema, undefined, 2)}\n`,
    })),
  ];
}
