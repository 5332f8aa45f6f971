import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A module below the folder that the parsers are taken from. */
export async function moduleOf<Module>(source: string, path: string): Promise<Module> {
  return (await import(/* @vite-ignore */ pathToFileURL(join(source, path)).href)) as Module;
}

/** The parsers as they are. */
export const ownSource: string = join(import.meta.dirname, "../../src");
