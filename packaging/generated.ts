import { bashCompletion } from "./completions/bash.ts";
import { fishCompletion } from "./completions/fish.ts";
import { zshCompletion } from "./completions/zsh.ts";
import { manualPage } from "./man/page.ts";
import { namesOf, type Called, type Product } from "./product.ts";
import { buildDate, versionOf } from "./project.ts";
import { schemaFiles } from "./schemas/schemas.ts";
import type { TreeFile } from "./tree.ts";

type Places = { readonly zshCompletions: string };

/** A program's texts for people, shells and other programs, made from its own tables, so that they agree. */
export function generatedFiles(product: Product, places: Places): readonly TreeFile[] {
  const version = versionOf(product.program);
  return namesOf(product).flatMap((called) => filesFor(called, version, places));
}

/** The generated files for one of the program's names. */
export function filesFor(called: Called, version: string, { zshCompletions }: Places): readonly TreeFile[] {
  const { program } = called;
  const { section } = called.page;
  const page = manualPage(called, { version, unixSeconds: buildDate() });
  const schemas = Object.entries(schemaFiles(called));
  return [
    { to: `usr/share/man/man${section}/${program}.${section}.gz`, compressed: page },
    { to: `usr/share/bash-completion/completions/${program}`, text: bashCompletion(called) },
    { to: `${zshCompletions}/_${program}`, text: zshCompletion(called) },
    { to: `usr/share/fish/vendor_completions.d/${program}.fish`, text: fishCompletion(called) },
    ...schemas.map(([name, schema]) => ({
      to: `usr/share/${program}/schemas/${name}`,
      text: `${JSON.stringify(schema, undefined, 2)}\n`,
    })),
  ];
}
