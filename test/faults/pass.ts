import { isAway } from "../../src/machine/processes/ask-systemd-again.ts";
import type { Host } from "../system/lab/host.ts";
import { until } from "../system/lab/until.ts";

export const decidingUnit = "svc-upgrade.service";
export const actingUnit = "svc-upgrade-act.service";
export const transactionUnit = "svc-upgrade-transaction.service";

/** The package manager's own limit is 30 minutes; no scenario but one comes near that. */
const longestPassMs = 300_000;
const longestSilenceMs = 30_000;

/** Starts the deciding unit as the timer does, waits for its end, and gives its exit status. */
export async function tick(host: Host, timeoutMs: number = longestPassMs): Promise<number> {
  const before = await shown(host, "InvocationID", "may be empty");
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a service manager that executes itself again may not have heard it
    const { stderr } = await host.enter(["systemctl", "start", decidingUnit], { timeoutMs });
    if (!isAway(stderr)) return lastStatus(host);
    // oxlint-disable-next-line no-await-in-loop -- one thing after the other
    if ((await shown(host, "InvocationID", "may be empty")) !== before) return endOfPass(host, timeoutMs);
  }
}

/** Starts it and returns at once. */
export async function beginPass(host: Host): Promise<void> {
  const { status, stderr } = await host.enter(["systemctl", "start", "--no-block", decidingUnit]);
  if (status !== 0) throw new Error(`the pass was not started: ${stderr}`);
}

export async function endOfPass(host: Host, timeoutMs: number = longestPassMs): Promise<number> {
  await until("the pass to end", timeoutMs, async () => ((await isPassing(host)) ? undefined : true));
  return lastStatus(host);
}

export async function isPassing(host: Host): Promise<boolean> {
  const state = await shown(host, "ActiveState");
  return state === "activating" || state === "deactivating";
}

async function lastStatus(host: Host): Promise<number> {
  return Number(await shown(host, "ExecMainStatus"));
}

/** A service manager that executes itself again has no answer for a moment: no answer is no end of a pass. */
function shown(host: Host, property: string, empty: "is no answer" | "may be empty" = "is no answer"): Promise<string> {
  return until("systemd to answer", longestSilenceMs, async () => {
    const { status, stdout } = await host.enter(["systemctl", "show", `--property=${property}`, "--value", decidingUnit]);
    return status === 0 && (stdout.trim() !== "" || empty === "may be empty") ? stdout.trim() : undefined;
  });
}
