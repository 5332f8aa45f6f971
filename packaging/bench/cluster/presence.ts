import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runTool } from "../../tool.ts";
import { processorTimeOf } from "../processor-time.ts";
import { memoryOf, mebibytes } from "../memory.ts";
import { reportSeconds, type Stage } from "./stage.ts";

const settleSeconds = 30;
const seconds = 60;
const usualReportSeconds = 600;

/** Measures `svc` on a host that belongs to the cluster and does nothing else. */
export async function measurePresence(stage: Stage): Promise<string> {
  const folder = join(stage.folder, "presence");
  mkdirSync(folder, { mode: 0o700 });
  const config = join(folder, "svc.yaml");
  writeFileSync(config, `svc: {data_dir: ${folder}/data, updater_root: ${folder}}\n`);
  mkdirSync(join(folder, "data"), { mode: 0o700 });
  const [file, ...words] = stage.program;
  const { port, tokenFile, pin } = stage.joining();
  runTool([file, ...words, "join", "-c", config, "--auth-server", `127.0.0.1:${port}`, "--token", tokenFile, "--ca-pin", pin]);
  const { pid = 0 } = stage.start([file, ...words, "start", "-c", config, "--log-level", "error"]);
  await sleep(settleSeconds * 1000);
  if (!/"upgrader": "none"/.test(stage.tctl("inventory", "ls", "--format", "json")))
    throw new Error("the presence did not report");
  const before = processorTimeOf(pid);
  await sleep(seconds * 1000);
  const share = (processorTimeOf(pid) - before) / 1e6 / seconds;
  const usual = (share * reportSeconds) / usualReportSeconds;
  return `The presence of a host: ${mebibytes(memoryOf(pid))} resident, ${mebibytes(memoryOf(pid, "RssAnon"))} of them its own and no file's; ${(share * 100).toFixed(2)} % of a core at a report every ${reportSeconds} seconds, at most (${(usual * 100).toFixed(3)} % at one every ${usualReportSeconds}, where all of it is of reports).`;
}
