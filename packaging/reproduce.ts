// npm run reproduce [-- what `npm run package` takes] builds everything twice, in different surroundings that must not change the result, and compares
// each shipped file. Exits with 1 if two differ, and keeps both builds for inspection.
import { rmSync } from "node:fs";
import { buildDate } from "./project.ts";
import { compareBuilds, print } from "./reproduce/compare.ts";
import { buildIn, copyInto } from "./reproduce/build.ts";
import { surroundings } from "./reproduce/surroundings.ts";
import { runScript } from "./script.ts";

await runScript(async () => {
  const words = process.argv.slice(2);
  const pair = surroundings();
  // Reads the date now, so that a commit meanwhile does not reach the second build.
  const unixSeconds = buildDate();
  const folders = pair.map(({ folder }) => folder);
  const discard = (): void => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  };
  // Ctrl-C ends only the running build, because this script must remove gigabytes first.
  process.on("SIGINT", () => undefined);
  try {
    for (const each of pair) copyInto(each);
    for (const each of pair) buildIn(each, { words, unixSeconds });
  } catch (cause) {
    discard();
    throw cause;
  }
  const compared = compareBuilds(...pair);
  process.stdout.write(print(compared));
  if (compared.every(({ kind }) => kind === "same")) return discard();
  throw new Error(`the builds differ; both are left in ${folders.join(" and ")}: diffoscope tells what stands in two files`);
});
