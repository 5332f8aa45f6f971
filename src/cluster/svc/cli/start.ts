import { Fault } from "../../../rules/fault/fault.ts";
import { tellFault, type ToldFault } from "../../../rules/fault/tell-fault.ts";
import type { Log } from "../../../machine/logging/log.ts";
import { monotonicMs } from "../../../machine/clocks/monotonic.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { notifierFor, reloading } from "../../../proxy/server/notify.ts";
import { makeDataDirectory } from "../data-directory.ts";
import { hintFor } from "../../../machine/command-line/hint-for.ts";
import { logFault } from "../../../machine/command-line/end-in-log.ts";
import { writePidFile } from "../pid-file.ts";
import { writeLastReload } from "../reloads.ts";
import { startServices, type Running } from "../running.ts";
import type { Options, ServerContext } from "../../../proxy/server/cli/called.ts";
import { loadFor } from "./context.ts";

/** Runs the enabled services until it is stopped. */
export async function start(options: Options, { surroundings, log }: ServerContext): Promise<number> {
  const { environment, processId, stopping } = surroundings;
  const loaded = await loadFor(options, surroundings);
  for (const remark of loaded.remarks) log("warning", remark, {});
  const { dataDirectory } = loaded.services;
  makeDataDirectory(dataDirectory);
  const running = await startServices(loaded, { log, environment });
  try {
    const pidFile = options.pidFile === undefined ? undefined : writePidFile(options.pidFile, processId);
    const notify = notifierFor({ environment, runCommand, log });
    const broken = Promise.withResolvers<never>();
    let reloads = Promise.resolve();
    let count = 0;
    async function readAgain(before: Promise<void>): Promise<void> {
      await before;
      await notify(...reloading(monotonicMs()));
      const refused = await reload(running, options, { surroundings, log });
      count += 1;
      tellReload({ dataDirectory, processId, count, refused }, log);
      await notify("READY=1");
    }
    surroundings.onHangUp(() => {
      // Reloads run one after another, in the order of the signals.
      reloads = readAgain(reloads);
      reloads.catch(broken.reject);
    });
    log("info", "serving", { services: running.told, data_dir: dataDirectory });
    await notify("READY=1");
    await Promise.race([aborted(stopping), running.broken, broken.promise]);
    log("info", "stopping: open requests are answered first", {});
    await notify("STOPPING=1");
    pidFile?.clear();
  } finally {
    await running.stop();
  }
  return 0;
}

/** Applies the whole configuration or nothing. Logs an invalid one, and changes nothing. */
async function reload(running: Running, options: Options, { surroundings, log }: ServerContext): Promise<ToldFault | undefined> {
  try {
    const loaded = await loadFor(options, surroundings);
    running.prepareReload(loaded)();
    for (const remark of loaded.remarks) log("warning", remark, {});
    log("info", "the configuration and the certificates were read again", {});
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const told = tellFault(thrown, "svc");
    const fault = { ...told, hint: hintFor(told.hint, { program: "svc", config: options.config }) };
    logFault(log, fault, { before: "nothing was changed: " });
    return fault;
  }
}

type Told = Parameters<typeof writeLastReload>[1] & { readonly dataDirectory: string };

/** Writes the result of a reload. If that fails, the service continues. */
function tellReload({ dataDirectory, ...last }: Told, log: Log): void {
  try {
    writeLastReload(dataDirectory, last);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    log("warning", `what came of the reload cannot be written for \`svc reload\`: ${thrown.message}`, {});
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
