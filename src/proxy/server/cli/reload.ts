import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../../rules/fault/fault.ts";
import { monotonicMs } from "../../../machine/clocks/monotonic.ts";
import { request } from "../../../machine/network/request.ts";
import { loadTrust } from "../../../machine/network/trust.ts";
import { isUnspecified, printHostPort } from "../../../rules/route/host-port.ts";
import type { Configuration } from "../../server-rules/configuration.ts";
import { configurationFor } from "./context.ts";
import { configIn } from "./unit-command.ts";

export type ReloadOptions = { readonly processId: string };

/** The limit is shorter than systemd's wait for the unit, and longer than reading any file takes. */
const longestMs = 20_000;
const everyMs = 50;
/** Enough for ten thousand channels with a line for each status. */
const longestMetricsBytes = 16 * 1024 * 1024;

/**
 * The unit's reload: tells the server to read its configuration again and exits with the result, so that `systemctl reload` fails if the server
 * refuses. The server itself reports why, and goes on unchanged.
 */
export async function reload({ processId }: ReloadOptions): Promise<number> {
  const pid = Number(processId);
  // If the file cannot be read, the server says so too.
  const diagnostics = await configurationFor({ config: configOf(pid) }).then(urlOf, (thrown: unknown) => {
    process.kill(pid, "SIGHUP");
    throw thrown instanceof Fault ? refused(thrown) : thrown;
  });
  const before = await reloadsAt(diagnostics);
  process.kill(pid, "SIGHUP");
  if (before === undefined) {
    throw new Fault("os-failed", {
      message: `the server was told to reload, and nothing answers at ${diagnostics} (diag_addr) that could say what came of it`,
      hint: "the journal says why: `journalctl -u svc-proxy`; a changed diag_addr takes a restart: `sudo systemctl restart svc-proxy`",
    });
  }
  const endMs = monotonicMs() + longestMs;
  while (monotonicMs() < endMs) {
    const now = await reloadsAt(diagnostics);
    if (now !== undefined && now.refused > before.refused) throw refused();
    if (now !== undefined && now.done > before.done) return 0;
    await sleep(everyMs);
  }
  throw new Fault("os-failed", {
    message: `the server did not reload within ${longestMs / 1000} s`,
    hint: "the journal says why: `journalctl -u svc-proxy`",
  });
}

function refused(cause?: Fault): Fault {
  return new Fault(cause?.code ?? "settings-invalid", {
    message: "the reload was refused, and the server goes on with the configuration before",
    hint: "the journal says why: `journalctl -u svc-proxy`",
    cause,
  });
}

/** The file that the server was started with. */
function configOf(pid: number): string {
  return configIn(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0"));
}

function urlOf({ diagnostics: { host, port } }: Configuration): string {
  const reached = isUnspecified(host) ? (host === "::" ? "::1" : "127.0.0.1") : host;
  return `http://${printHostPort({ host: reached, port })}/metrics`;
}

type Reloads = { readonly done: number; readonly refused: number };

async function reloadsAt(url: string): Promise<Reloads | undefined> {
  const text = await metricsAt(url);
  const [done, refusals] = ["done", "refused"].map(
    (outcome) => new RegExp(`^svc_proxy_reloads_total\\{outcome="${outcome}"\\} (\\d+)$`, "m").exec(text)?.[1],
  );
  return done === undefined || refusals === undefined ? undefined : { done: Number(done), refused: Number(refusals) };
}

/** Empty if the server serves no metrics. */
async function metricsAt(url: string): Promise<string> {
  try {
    const { body } = await request(
      { url, longestBody: longestMetricsBytes },
      { routeOf: () => ({ kind: "direct", rule: "it is this host" }), plainHttp: "allowed", trust: () => loadTrust(undefined) },
    );
    return body.kind === "whole" ? new TextDecoder().decode(body.bytes) : "";
  } catch (thrown) {
    if (thrown instanceof Fault) return "";
    throw thrown;
  }
}
