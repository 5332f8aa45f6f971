// npm run build [-- amd64 | arm64]: dist/svc-upgrade-<architecture>, one executable file each.
import { buildExecutables } from "./executables.ts";
import { architectures } from "./project.ts";
import { runScript } from "./script.ts";

await runScript(async () => {
  const asked = architectures.filter((architecture) => process.argv.includes(architecture));
  await buildExecutables(asked.length > 0 ? asked : architectures);
});
