import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../../rules/fault/fault.ts";
import { errnoOf } from "../../../machine/files/errno.ts";
import { readText } from "../../../machine/files/read-file.ts";
import { monotonicMs } from "../../../machine/clocks/monotonic.ts";
import { readPidFile } from "../pid-file.ts";
import { readLastReload } from "../reloads.ts";
import type { Options, ServerContext } from "../../../proxy/server/cli/called.ts";
import { loadFor } from "./context.ts";

/** Shorter than systemd's wait for the unit, and longer than reading any file takes. */
const longestMs = 20_000;
const everyMs = 50;
const defaultPidFile = "/run/svc.pid";

/** Makes the service read its configuration again. Fails if the service refuses it, so that `systemctl reload` fails too. */
export async function reload(options: Options, { surroundings }: ServerContext): Promise<number> {
  const { pidFile = defaultPidFile } = options;
  const processId = readPidFile(pidFile);
  if (processId === undefined) throw notRunning(`${pidFile} names no process`);
  if (!isOurs(processId)) throw notRunning(`the process ${processId}, which ${pidFile} names, is another program`);
  // Reads the file here first, so that its faults are reported here.
  const { services } = await loadFor(options, surroundings);
  const before = readLastReload(services.dataDirectory);
  const countBefore = before?.processId === processId ? before.count : 0;
  hangUp(processId, pidFile);
  const endMs = monotonicMs() + longestMs;
  while (monotonicMs() < endMs) {
    const last = readLastReload(services.dataDirectory);
    if (last?.processId === processId && last.count > countBefore) {
      if (last.refused !== undefined) throw new Fault("settings-invalid", last.refused);
      return 0;
    }
    await sleep(everyMs);
  }
  throw new Fault("os-failed", {
    message: `the service did not say within ${longestMs / 1000} s what came of the reload`,
    hint: "the journal says why: `journalctl -u svc`",
  });
}

/** Whether the process is our service. If the service was killed, another process may have its number, and a SIGHUP would end most programs. */
function isOurs(processId: number): boolean {
  const words = (readText(`/proc/${processId}/cmdline`, { capBytes: longestCommandLine, links: "refuse" }) ?? "").split("\0");
  // An empty command line may be a process that is gone or hidden: then sending the signal fails.
  return words.length < 2 || (words.includes("start") && words.some((word) => /(?:^|\/)svc(?:\.ts)?$/.test(word)));
}

const longestCommandLine = 64 * 1024;

function hangUp(processId: number, pidFile: string): void {
  try {
    process.kill(processId, "SIGHUP");
  } catch (thrown) {
    if (errnoOf(thrown) === "ESRCH") throw notRunning(`the process ${processId}, which ${pidFile} names, is gone`);
    throw new Fault("not-permitted", {
      message: `the process ${processId} may not be told to reload by this user`,
      hint: "`sudo systemctl reload svc`",
      cause: thrown,
    });
  }
}

function notRunning(why: string): Fault {
  return new Fault("os-failed", { message: `svc does not run: ${why}`, hint: "start it: `sudo systemctl start svc`" });
}
