import { Fault } from "../../rules/fault/fault.ts";
import type { RunCommand } from "../../machine/processes/command.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { AgentCondition } from "../plan/host-facts.ts";
import type { Settings, UnitName } from "../../rules/settings/settings.ts";
import { askHealthCommand } from "./health-command.ts";
import type { Stopwatch } from "../../machine/clocks/stopwatch.ts";
import { thisMoment } from "./moment.ts";
import { isBetweenRestarts, isRunning, type ShownUnit, isWaiting } from "./shown.ts";
import type { UnitControl } from "./systemctl.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";

export type ToProve = {
  readonly unit: UnitName;
  readonly before: AgentCondition;
  readonly health: Settings["health"];
};

export type HealthEffects = {
  readonly control: UnitControl;
  readonly run: RunCommand;
  readonly stopwatch: Stopwatch;
  readonly log: Log;
};

/**
 * Watches the unit settle, then runs the administrator's command. Throws `unhealthy` if either fails. A stopped unit, or a command that cannot run,
 * says nothing about the agent: it is only logged, so that no good version is rejected.
 */
export async function proveHealth(effects: HealthEffects, { unit, before, health }: ToProve): Promise<void> {
  const { control, log } = effects;
  const since = Math.floor(thisMoment().realtimeMs / 1000);
  const first = await control.show(unit);
  if (first.isMasked) return tellMasked(effects, unit);
  if (hasNothingToProve(first, before)) return;
  const settled = await settle(effects, { unit, seconds: health.settleSeconds, since });
  if (settled.kind === "masked") return tellMasked(effects, unit);
  if (settled.kind === "told") {
    log("warning", `${unit} was stopped while it was watched: whether it is well is not known`, {});
    return;
  }
  if (settled.kind === "ill") {
    const { active, sub } = settled.unit;
    const after = settled.afterSeconds === 1 ? "1 second" : `${settled.afterSeconds} seconds`;
    throw new Fault("unhealthy", {
      message: `${unit} is ${active} (${sub}): ${settled.what}, ${after} after it was brought up`,
      hint: `see \`journalctl -u ${unit}\` and \`systemctl status ${unit}\``,
    });
  }
  await askCommand(effects, unit, health.command);
}

/** Logs that the unit is masked. The old file may still run, so neither the unit nor the command says anything about the new one. */
function tellMasked({ log }: HealthEffects, unit: UnitName): void {
  log("warning", `${unit} is masked: nobody can tell whether it runs well with the installed version`, {});
}

/** Whether the agent ran neither before the change nor after it. */
function hasNothingToProve(now: ShownUnit, before: AgentCondition): boolean {
  if (before === "running" || before === "unhealthy") return false;
  return !isRunning(now) && !isBetweenRestarts(now.sub);
}

async function askCommand({ run, log }: HealthEffects, unit: UnitName, command: readonly string[]): Promise<void> {
  const [program] = command;
  if (program === undefined) return;
  const checked = await askHealthCommand(run, command);
  switch (checked.kind) {
    case "well":
      return;
    case "not-run":
      log(
        "error",
        "health.command could not be run, and so the agent's health is judged by its unit alone; correct the setting",
        {
          program,
          why: checked.why,
        },
      );
      return;
    case "ill":
      throw new Fault("unhealthy", {
        message: `${unit} runs, and the health check ${program} says that it is not well: ${checked.why}`,
        hint: `see \`journalctl -u ${unit}\`, and run the command of the setting health.command by hand`,
      });
  }
}

type ToSettle = { readonly unit: UnitName; readonly seconds: number; readonly since: UnixSeconds };

/** How the unit ran. "told": somebody stopped it, or the host is going down. "told" and "masked" prove nothing. */
export type Settled =
  | { readonly kind: "well" | "told" | "masked" }
  | { readonly kind: "ill"; readonly unit: ShownUnit; readonly what: string; readonly afterSeconds: number };

type Effects = { readonly control: Pick<UnitControl, "show" | "lastJob">; readonly stopwatch: Stopwatch };

/** Each look takes some 10 ms. systemd counts restarts between two looks. */
const betweenLooksMs = 1000;

/** Watches the unit for `seconds`. A start or a reload may take all that time. */
export async function settle({ control, stopwatch }: Effects, { unit, seconds, since }: ToSettle): Promise<Settled> {
  const beganMs = stopwatch.nowMs();
  let fewestRestarts = Number.POSITIVE_INFINITY;
  let wasUp = false;
  let wasDown = false;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the point is to look again and again
    const now = await control.show(unit);
    if (now.isMasked) return { kind: "masked" };
    const elapsedMs = stopwatch.nowMs() - beganMs;
    const isOver = elapsedMs >= seconds * 1000;
    const ill = (what: string): Settled => ({ kind: "ill", unit: now, what, afterSeconds: Math.round(elapsedMs / 1000) });
    if (now.restarts > fewestRestarts) return ill("systemd had to start it again");
    if (isBetweenRestarts(now.sub)) return ill("it ended, and systemd is about to start it again");
    // Remembers a lower number too, because systemd counts from 0 again after a manual restart.
    fewestRestarts = now.restarts;
    const isDown = !isRunning(now) && !isWaiting(now);
    if (isDown && wasDown) {
      // oxlint-disable-next-line no-await-in-loop -- asked only where the unit is down
      const job = await control.lastJob(unit, since);
      if (job === undefined || job === "start") return ill("it went down");
      // A stop counts only if the unit stays down, because it may be the first half of a restart.
      if (isOver || (job === "stop" && now.active !== "deactivating")) return { kind: "told" };
    }
    if (isOver && !isDown)
      return wasUp || now.active === "active" || isWaiting(now) ? { kind: "well" } : ill("it has not come up");
    wasUp ||= now.active === "active";
    wasDown = isDown;
    // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
    await stopwatch.wait(betweenLooksMs);
  }
}
