// npm run build [-- svc-upgrade | svc-proxy] [amd64 | arm64]: dist/<program>-<architecture>, one executable file each.
import { named, refuseUnknown } from "./asked.ts";
import { buildExecutables } from "./executables.ts";
import { architectures, programs } from "./project.ts";
import { runScript } from "./script.ts";

await runScript(async () => {
  const words = process.argv.slice(2);
  refuseUnknown(words, [...programs, ...architectures]);
  await buildExecutables(named(programs, words), named(architectures, words));
});
