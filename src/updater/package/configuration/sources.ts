import { quote } from "../../../rules/text/quote.ts";
import { mask } from "../../../machine/logging/mask-secrets.ts";

/** Where a package manager looks for packages: the configuration file, and the first address in it. */
export type Source = { readonly file: string; readonly url: string | undefined };

/** How many sources to name. On a host with dozens, the first few show where to look. */
const mostNamed = 2;
const longestUrl = 70;

/** Names the sources in a sentence, without passwords. */
export function tellSources(sources: readonly Source[]): string {
  if (sources.length === 0) return "no repository is enabled here";
  const told = [...new Set(sources.map(({ file, url }) => (url === undefined ? file : `${file} (${shown(url)})`)))];
  const others = told.length - mostNamed;
  return `asked were ${told.slice(0, mostNamed).join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

function shown(url: string): string {
  return quote(mask(url).replace("***@", ""), longestUrl);
}
