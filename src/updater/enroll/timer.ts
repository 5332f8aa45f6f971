import { Fault } from "../../rules/fault/fault.ts";
import type { CommandResult } from "../../machine/processes/command.ts";
import { askingAgain } from "../../machine/processes/ask-systemd-again.ts";
import { complaint, must } from "../unit/complaint.ts";
import { toolEnvironment } from "../unit/environment.ts";
import { timerUnit as timer } from "../unit/timer.ts";
import type { Done } from "./done.ts";
import type { EnrollScope } from "./scope.ts";

export type TimerFound = {
  readonly file: "enabled" | "disabled" | "masked" | "absent";
  /** False without systemd. */
  readonly isActive: boolean;
};

/** What is needed to ask systemctl about the timer. Below another root it changes only links. */
type TimerScope = Pick<EnrollScope, "paths" | "units" | "run">;

/** Enabling makes systemd read all its units again. */
const timeoutMs = 90_000;

export async function lookAtTimer(scope: TimerScope): Promise<TimerFound> {
  const said = (result: CommandResult): string => (result.kind === "exited" ? result.stdout.trim() : must(result, "answer"));
  const file = fileState(said(await systemctl(scope, ["is-enabled", timer])));
  return { file, isActive: scope.units === "running" && said(await systemctl(scope, ["is-active", timer])) === "active" };
}

/** Accepts an unknown word: `systemctl enable` then explains the problem. */
function fileState(word: string): TimerFound["file"] {
  if (word === "enabled") return "enabled";
  if (word.startsWith("masked")) return "masked";
  return word === "" || word === "not-found" ? "absent" : "disabled";
}

/** Refuses to begin on this machine if the timer cannot be enabled. */
export function refuseUnusable({ file }: TimerFound, { paths }: TimerScope): void {
  if (file === "masked") {
    throw new Fault("host-unsupported", {
      message: `${timer} is masked: an administrator has disabled it on this host`,
      hint: `if it may run: \`sudo systemctl unmask ${timer}\`, then enroll again`,
    });
  }
  if (file === "absent" && paths.root === "/") {
    throw new Fault("host-unsupported", {
      message: `${timer} is not installed, and nothing else starts a pass`,
      hint: "install the package svc-ent-updater, then enroll again",
    });
  }
}

export async function enableTimer(found: TimerFound, scope: TimerScope): Promise<Done> {
  const { units } = scope;
  if (found.file === "absent") {
    return done("none", `${timer} is not there yet: installing svc-ent-updater enables it`);
  }
  if (found.file === "enabled" && (found.isActive || units === "offline")) {
    return done("none", `already enrolled: ${timer} is enabled${units === "running" ? " and active" : ""}`);
  }
  await order(["enable", "--quiet", ...atOnce(scope)], scope);
  if (units === "offline") return done("enabled", `enabled ${timer}; it starts once systemd runs there`);
  return done("enabled", found.file === "enabled" ? `started ${timer}` : `enabled and started ${timer}`);
}

/** Undoes only what was done, because systemctl cannot stop a timer that never started, or remove a missing link. */
export async function restoreTimer(found: TimerFound, scope: TimerScope): Promise<void> {
  const now = await lookAtTimer(scope);
  if (found.file === "disabled" && now.file === "enabled") await order(["disable", "--quiet"], scope);
  if (!found.isActive && now.isActive) await order(["stop"], scope);
}

/** Switches the timer off. A running pass is another unit, and continues to its end. */
export async function disableTimer(found: TimerFound, scope: TimerScope): Promise<Done> {
  if (found.file !== "enabled" && !found.isActive) return done("none", `${timer} was not enabled`);
  await order(["disable", "--quiet", ...atOnce(scope)], scope);
  return done("disabled", scope.units === "running" ? `disabled and stopped ${timer}` : `disabled ${timer}`);
}

function atOnce({ units }: TimerScope): readonly string[] {
  return units === "running" ? ["--now"] : [];
}

async function order(words: readonly [string, ...string[]], scope: TimerScope): Promise<void> {
  const said = complaint(await systemctl(scope, [...words, timer]));
  if (said === undefined) return;
  const [verb] = words;
  throw new Fault("os-failed", {
    message: `systemctl ${verb} ${timer} failed: ${said}`,
    hint: scope.units === "running" ? `look at it: \`systemctl status ${timer}\`` : `look at it: \`systemctl cat ${timer}\``,
  });
}

function systemctl({ paths, run }: TimerScope, words: readonly string[]): Promise<CommandResult> {
  const where = paths.root === "/" ? [] : [`--root=${paths.root}`];
  // Asking twice for links and a running timer is harmless.
  return askingAgain(run)({ argv: ["systemctl", ...where, ...words], env: toolEnvironment, timeoutMs });
}

function done(change: Done["change"], told: string): Done {
  return { what: "timer", change, on: timer, told };
}
