// npm run kube:lab: starts one control plane to try things on, and stays until Ctrl-C.
// npm run kube:lab -- build: builds its programs. npm run kube:lab -- check: says where they are not built, with status 69.
import { once } from "node:events";
import { refuseUnknown } from "../../../packaging/asked.ts";
import { runScript } from "../../../packaging/script.ts";
import { buildPrograms } from "./build.ts";
import { startControlPlane } from "./control-plane.ts";
import { missingForLab, programsFolder } from "./programs.ts";
import { stopSignal } from "./stopping.ts";

await runScript(async () => {
  const words = process.argv.slice(2);
  refuseUnknown(words, ["build", "check"]);
  if (words.includes("build")) {
    console.log(`The programs are in ${await buildPrograms()}`);
    return;
  }
  const missing = await missingForLab();
  if (missing !== undefined) {
    console.error(missing);
    process.exitCode = 69;
  } else if (!words.includes("check")) {
    await stay();
  }
});

async function stay(): Promise<void> {
  const stopping = stopSignal();
  const { kubeconfig, programs, folder, stop, broken } = await startControlPlane(await programsFolder());
  console.log(`A control plane is up, with three nodes. Their pods fare as their images say: "bad" is never ready, "crash" crashes,
"nopull" cannot be pulled, any other is ready.

  export KUBECONFIG=${kubeconfig} PATH=${programs}:$PATH

Its logs are in ${folder}. Ctrl-C ends it and takes everything away.`);
  const lastWords = stopping.aborted ? undefined : await Promise.race([once(stopping, "abort").then(() => undefined), broken]);
  await stop();
  if (lastWords !== undefined) throw new Error(lastWords);
}
