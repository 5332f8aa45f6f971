import { Fault } from "../../../rules/fault/fault.ts";
import { tellFault } from "../../../rules/fault/tell-fault.ts";
import { logFault } from "../../../machine/command-line/end-in-log.ts";
import { monotonicMs } from "../../../machine/clocks/monotonic.ts";
import { passedSocket } from "../../../machine/program/passed-socket.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { printHostPort } from "../../../rules/route/host-port.ts";
import { proxyVariablesIn } from "../../../rules/route/route.ts";
import type { Reader } from "../load.ts";
import type { ServerSurroundings } from "../surroundings.ts";
import { limits } from "../limits.ts";
import { notifierFor, reloading, watchdogEveryMs } from "../notify.ts";
import { startServer, type RunningServer } from "../server.ts";
import { loadFor } from "./context.ts";
import type { ServerContext, Options } from "./called.ts";

const oneSocket = {
  socket: "svc-proxy.socket",
  hint: "leave one ListenStream= there: `sudo systemctl edit svc-proxy.socket`; a port alone is for IPv4 and IPv6",
};

export async function serve(options: Options, { surroundings, log }: ServerContext): Promise<number> {
  const { environment, stopping } = surroundings;
  const loaded = await loadFor(options, environment, readerIn(environment));
  for (const remark of loaded.remarks) log("warning", remark, {});
  const passed = passedSocket({ environment, processId: surroundings.processId }, oneSocket);
  const server = await startServer(loaded, {
    limits,
    proxies: proxyVariablesIn(environment),
    log,
    program: "svc-proxy",
    passed,
  });
  const { listen } = loaded.configuration;
  if (server.port !== listen.port && passed !== undefined) {
    log("warning", "web_listen_addr names another port than svc-proxy.socket, which counts", {
      web_listen_addr: printHostPort(listen),
    });
  }
  const notify = notifierFor({ environment, runCommand, log });
  log("info", "serving", {
    address: passed === undefined ? printHostPort({ ...listen, port: server.port }) : `svc-proxy.socket, port ${server.port}`,
    tls: loaded.keyPairs.length > 0,
    channels: [...loaded.configuration.channels.keys()].join(" "),
    digest: server.live.serving.answers.digest,
  });
  const broken = Promise.withResolvers<never>();
  async function readAgain(before: Promise<void>): Promise<void> {
    await before;
    await notify(...reloading(monotonicMs()));
    await reload(server, options, { surroundings, log });
    await notify("READY=1");
  }
  let reloads = Promise.resolve();
  surroundings.onHangUp(() => {
    // Reloads run one after the other, in the order of the signals.
    reloads = readAgain(reloads);
    reloads.catch(broken.reject);
  });
  const everyMs = watchdogEveryMs(environment, surroundings.processId);
  const watchdog = everyMs === undefined ? undefined : setInterval(() => void notify("WATCHDOG=1"), everyMs);
  await notify("READY=1");
  try {
    await Promise.race([aborted(stopping), server.broken, broken.promise]);
    log("info", "stopping: open requests are answered first", { connections: server.live.serving.connections.count });
    await notify("STOPPING=1");
  } finally {
    clearInterval(watchdog);
    await server.stop();
  }
  return 0;
}

/** A wrong configuration changes nothing and is logged. */
async function reload(server: RunningServer, options: Options, { surroundings, log }: ServerContext): Promise<void> {
  const { reloads } = server.live.serving.meter;
  try {
    const loaded = await loadFor(options, surroundings.environment, readerIn(surroundings.environment));
    server.prepareReload(loaded)();
    for (const remark of loaded.remarks) log("warning", remark, {});
    reloads.done += 1;
    log("info", "the configuration and the certificates were read again", { digest: server.live.serving.answers.digest });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    reloads.refused += 1;
    logFault(log, tellFault(thrown, "svc-proxy"), { before: "nothing was changed: " });
  }
}

/** Whether a unit or a person runs this program: systemd sets NOTIFY_SOCKET for its units. */
function readerIn(environment: ServerSurroundings["environment"]): Reader {
  return (environment["NOTIFY_SOCKET"] ?? "") === "" ? "caller" : "unit";
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
