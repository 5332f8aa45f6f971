// npm run chart: dist/chart/ with the chart and the index of a repository, for `helm repo add`.
import { join } from "node:path";
import { refuseUnknown } from "./asked.ts";
import { packChart } from "./helm/pack.ts";
import { distFolder } from "./project.ts";
import { runScript } from "./script.ts";

await runScript(() => {
  refuseUnknown(process.argv.slice(2), []);
  for (const path of packChart(join(distFolder, "chart"))) console.log(path);
  return Promise.resolve();
});
