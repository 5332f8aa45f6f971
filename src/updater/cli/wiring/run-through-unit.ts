import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../../../rules/fault/fault.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import type { Paths } from "../../../machine/files/paths.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { makeDirectory } from "../../../machine/files/directory.ts";
import { removeFile } from "../../../machine/files/remove-file.ts";
import { writeFileAtomically } from "../../../machine/files/write-file.ts";
import type { Asked } from "../../plan/host-policy.ts";
import { encodeAsked } from "../../record/asked.ts";
import type { PassRecord } from "../../record/state.ts";
import { isPassRunning } from "../../status/look-at-units.ts";
import { withEvidence } from "../../store/evidence.ts";
import { stateIn } from "../../store/state-file.ts";
import { openJournal } from "../../unit/journal.ts";
import { stopwatch } from "../../../machine/clocks/stopwatch.ts";
import { actingUnit, decidingUnit } from "../../unit/own-units.ts";
import { unitControl, type UnitControl } from "../../unit/systemctl.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import type { CommandContext } from "../context.ts";
import { followOn, followPlainly } from "../screen/follow.ts";
import { paintFor } from "../screen/paint.ts";
import { openStepScreen } from "../screen/steps.ts";
import type { Surroundings } from "../surroundings.ts";
import { busy } from "../../pass/pass-under-locks.ts";
import { isOfShell } from "./sources.ts";

/** The units that log in a pass. */
const passUnits = [decidingUnit, actingUnit] as const;
/** How soon the screen shows a new line. */
const pollMs = 400;
/** Longer than the unit's own limit, so that the unit ends first. */
const longestPassMs: number = 310 * 60_000;

export type ToRun = {
  readonly paths: Paths;
  readonly asked: Asked;
  /** The pass's line for stdout, if it has one. */
  readonly answer: (record: PassRecord) => string | undefined;
};

/**
 * Leaves a note, starts the deciding unit, and shows its lines as they come. systemd runs the pass, so it continues if this process or its terminal
 * ends.
 */
export async function runThroughUnit({ paths, asked, answer }: ToRun, context: CommandContext): Promise<PassRecord> {
  const { surroundings } = context;
  const control = unitControl(runCommand);
  if ((await control.show(decidingUnit)).active === "activating") throw busy(undefined);
  warnOfEnvironment(context);
  const before = lastPass(paths);
  const watch = await openWatch(paths, surroundings);
  makeDirectory(dirname(paths.asked), paths);
  const note = encodeAsked({ at: readClock().now, asked, pass: undefined });
  writeFileAtomically(paths.asked, note, { root: paths.root, mode: 0o644, fault: "file-failed" });
  try {
    const since = readClock().now;
    const complaint = await follow(startAndAwait(control, surroundings.stopping), watch);
    const last = lastPass(paths);
    const record = last?.id === before?.id ? undefined : last;
    await watch.end(record && answer(record));
    if (record === undefined) throw await notRecorded(control, { complaint, since });
    return record;
  } finally {
    removeFile(paths.asked, paths.root);
  }
}

/** Waits for the unit. If an administrator stops the unit, this wait ends although the pass still finishes its step. */
async function startAndAwait(control: UnitControl, stopping: AbortSignal): Promise<string | undefined> {
  const complaint = await control.change("start", decidingUnit, { timeoutMs: longestPassMs, stopping });
  const deadlineMs = stopwatch.nowMs() + longestPassMs;
  while ((await isPassRunning(control)) && stopwatch.nowMs() < deadlineMs) {
    if (stopping.aborted) throw leftAlone();
    await sleep(pollMs);
  }
  return complaint;
}

/** Stops waiting: this process may run inside the agent that is restarted, and must not delay that. */
function leftAlone(): Fault {
  return new Fault("stopping", {
    message: "this was asked to end while the pass is running; the pass goes on by itself",
    hint: "follow it: `journalctl -fu svc-upgrade`",
  });
}

type Watch = { readonly look: () => Promise<void>; readonly end: (answer: string | undefined) => Promise<void> };

/** Chooses what to show: on a terminal the pass's steps and messages, anywhere else its whole journal. */
async function openWatch(paths: Paths, surroundings: Surroundings): Promise<Watch> {
  const { error, stderrIs } = surroundings;
  if (stderrIs !== "terminal") {
    const journal = await openJournal(runCommand, passUnits, "all");
    const { look, end } = followPlainly((line) => error(`${line}\n`));
    return { look: async () => look(await journal()), end: async (answer) => end(await journal(), answer) };
  }
  const journal = await openJournal(runCommand, passUnits, "own");
  const before = stateIn(paths).passes[0]?.id;
  const { look, end } = followOn(openStepScreen(error, paintFor(stderrIs, surroundings)));
  return {
    look: async () => {
      const lines = await journal();
      const { step } = stateIn(paths);
      look({ lines, done: step?.done ?? [], inHand: step?.step });
    },
    end: async (answer) => {
      const lines = await journal();
      const [record] = stateIn(paths).passes;
      const done = record === undefined || record.id === before ? [] : record.steps;
      end({ lines, done, inHand: undefined }, answer);
    },
  };
}

/** Shows lines until the work ends; the caller shows the last ones. */
async function follow<T>(work: Promise<T>, { look }: Watch): Promise<T> {
  const isDone = Symbol("done");
  while ((await Promise.race([sleep(pollMs), work.then(() => isDone)])) !== isDone) await look();
  return work;
}

/** Warns of this shell's variables, which the unit does not see. */
function warnOfEnvironment({ surroundings: { environment }, log }: CommandContext): void {
  const ignored = Object.keys(environment).filter(isOfShell);
  if (ignored.length === 0) return;
  log("warning", "the pass runs in svc-upgrade.service, which does not see this shell's settings", {
    ignored: ignored.join(" "),
  });
}

function lastPass(paths: Paths): PassRecord | undefined {
  return withEvidence(stateIn(paths), paths).passes[0];
}

type Unrecorded = { readonly complaint: string | undefined; readonly since: UnixSeconds };

/** The fault if the unit has ended but its pass left no record. */
async function notRecorded(control: UnitControl, { complaint, since }: Unrecorded): Promise<Fault> {
  const { isLoaded, isMasked } = await control.show(decidingUnit);
  if (!isLoaded && !isMasked) {
    return new Fault("stopping", {
      message: "svc-upgrade was removed from this host while its pass was running, and the pass has left no record",
      hint: "install the package svc-ent-updater again; its first pass goes on from here",
    });
  }
  if ((await control.lastJob(decidingUnit, since)) === "stop") {
    return new Fault("stopping", {
      message: `${decidingUnit} was stopped before its pass had anything to record`,
      hint: "nothing to do: the next pass goes on from here",
    });
  }
  return new Fault("os-failed", {
    message: `${decidingUnit} ended without a record of its pass${complaint === undefined ? "" : `: ${complaint}`}`,
    hint: "look at what it said: `journalctl -u svc-upgrade`, `systemctl status svc-upgrade`",
  });
}
