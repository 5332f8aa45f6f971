// npm run build [-- svc-upgrade | svc-proxy | svc-kube-updater | svc] [amd64 | arm64] [--cluster-version X] builds dist/<program>-<architecture>, one
// executable file each. npm run build -- tctl tsh builds dist/<program>.mjs, for Node on other systems. Without words it builds everything.
import { alone, alonePath, buildAlone } from "./alone.ts";
import { named, refuseUnknown, withoutClusterVersion } from "./asked.ts";
import { buildExecutables } from "./executables.ts";
import { architectures, programs } from "./project.ts";
import { runScript } from "./script.ts";

await runScript(async () => {
  const words = withoutClusterVersion(process.argv.slice(2));
  refuseUnknown(words, [...programs, ...alone, ...architectures]);
  const files = alone.filter((one) => words.includes(one));
  const isForAll = programs.every((one) => !words.includes(one));
  if (files.length === 0 || !isForAll) await buildExecutables(named(programs, words), named(architectures, words));
  if (files.length === 0 && !isForAll) return;
  const wanted = named(alone, files);
  await buildAlone(wanted);
  for (const program of wanted) console.log(alonePath(program));
});
