// npm run bench measures a pass of the updater that finds nothing to do, against a bare script of the same runtime and against a shell script.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { measure, settleFile } from "./bench/measure.ts";
import { printFigures } from "./bench/print.ts";
import { setStage } from "./bench/stage.ts";
import { measureTick } from "./bench/tick.ts";
import { buildExecutables } from "./executables.ts";
import { executablePath, nativeArchitecture } from "./project.ts";
import { runtimeFolder } from "./runtime.ts";
import { runScript } from "./script.ts";

const insideFlag = "--inside";

await runScript(process.argv.includes(insideFlag) ? measureInside : prepareOutside);

/** Builds, then starts itself again in a mount namespace, where it can lay files over the machine's own without changing them. */
async function prepareOutside(): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error("the benchmark lays its files over /etc in a mount namespace of its own: run it as root");
  await buildExecutables(["svc-upgrade"], [nativeArchitecture]);
  const inside = [process.execPath, import.meta.filename, insideFlag];
  const { status } = spawnSync("unshare", ["--mount", "--propagation", "private", ...inside], { stdio: "inherit" });
  if (status !== 0) throw new Error("the benchmark did not end");
  console.log(await measureTick());
}

async function measureInside(): Promise<void> {
  const runtime = resolve(runtimeFolder(nativeArchitecture), "bin/node");
  const executable = executablePath(nativeArchitecture);
  const expects = /^no upgrades available \(15\.4\.5 == 15\.4\.5\)\n$/;
  const { httpsEndpoint, stop } = await setStage();
  try {
    for (const file of [runtime, executable]) settleFile(file);
    const figures = measure([
      { name: "a bare script of the same runtime", argv: [runtime, beside("floor.cjs")], expects: /15\.4\.5/ },
      { name: "`svc-upgrade dry-run`", argv: [executable, "dry-run"], expects },
      { name: "the same over https", argv: [executable, "dry-run"], env: { SVC_UPGRADE_ENDPOINT: httpsEndpoint }, expects },
      { name: "bash, curl, dpkg-query", argv: [beside("shell.sh")], expects },
    ]);
    console.log(printFigures("nothing to do", figures));
    console.log("\nThe arm64 executable is not measured here: it would run in an emulator.\n");
  } finally {
    stop();
  }
}

function beside(name: string): string {
  return resolve(import.meta.dirname, "bench", name);
}
