import type { Source } from "../configuration/sources.ts";

/** Reads the rows of `apt-get indextargets`: `FILE:ENTRY`, a tab, and `URL SUITE/COMPONENT ARCHITECTURE Packages`. */
export function sourcesIn(indexes: string): readonly Source[] {
  return indexes.split("\n").flatMap((row) => {
    const [entry = "", description = ""] = row.split("\t");
    return entry === "" ? [] : [{ file: entry.replace(/:\d+$/, ""), url: description.split(" ")[0] }];
  });
}
