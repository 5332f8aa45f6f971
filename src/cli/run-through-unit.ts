import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "../fault/fault.ts";
import { readClock } from "../host/clock.ts";
import type { Paths } from "../host/paths.ts";
import { runCommand } from "../host/run-command.ts";
import { writeFileAtomically } from "../host/write-file.ts";
import type { Conducted } from "../pass/conduct.ts";
import { prepare } from "../pass/prepare.ts";
import type { Asked } from "../plan/policy.ts";
import { encodeAsked } from "../record/asked.ts";
import { emptyState, type State } from "../record/state.ts";
import type { UnitName } from "../settings/settings.ts";
import { readState } from "../store/state-file.ts";
import { openJournal } from "../unit/journal.ts";
import { unitControl } from "../unit/systemctl.ts";
import type { CommandContext } from "./dry-run.ts";

const decidingUnit = "svc-upgrade.service" as UnitName;
/** How soon a new line of the pass is on the screen. */
const pollMs = 400;
/** Longer than a pass may last: the unit's own limit. */
const longestPassMs: number = 50 * 60_000;

/**
 * Leaves a note of what is asked, starts the deciding unit and shows its lines as they come. The pass is systemd's: it goes on
 * whatever becomes of this process and its terminal.
 */
export async function runThroughUnit(
  { paths, asked }: { readonly paths: Paths; readonly asked: Asked },
  context: CommandContext,
): Promise<Conducted> {
  const { surroundings, log } = context;
  const control = unitControl(runCommand);
  const { settings } = await prepare({ paths, environment: {}, flags: [], ownerUid: 0, log });
  if ((await control.show(decidingUnit)).active === "activating") throw alreadyRunning();
  warnOfEnvironment(context);
  const before = lastPass(paths);
  const journal = await openJournal(runCommand, decidingUnit);
  mkdirSync(dirname(paths.asked), { recursive: true, mode: 0o755 });
  writeFileAtomically(paths.asked, encodeAsked({ at: readClock().now, asked }), { mode: 0o644, fault: "file-failed" });
  try {
    const complaint = await follow(control.change("start", decidingUnit, longestPassMs), journal, surroundings.error);
    const record = lastPass(paths);
    if (record === undefined || record.id === before?.id) throw notRecorded(complaint);
    return { record, channel: settings.channel };
  } finally {
    rmSync(paths.asked, { force: true });
  }
}

/** Shows what is written until the work has ended, and what was written last. */
async function follow<T>(work: Promise<T>, journal: () => Promise<string>, show: (text: string) => void): Promise<T> {
  const isDone = Symbol("done");
  for (;;) {
    const first = await Promise.race([sleep(pollMs), work.then(() => isDone)]);
    show(await journal());
    if (first === isDone) break;
  }
  show(await journal());
  return work;
}

/** The pass is the unit's, and so are its settings: what only this shell sets is not in force there. */
function warnOfEnvironment({ surroundings: { environment }, log }: CommandContext): void {
  const ignored = Object.keys(environment).filter(
    (name) => name.startsWith("SVC_UPGRADE_") && !name.startsWith("SVC_UPGRADE_LOG_"),
  );
  if (ignored.length === 0) return;
  log("warning", "the pass runs in svc-upgrade.service, which does not see this shell's settings", {
    ignored: ignored.join(" "),
  });
}

function lastPass({ state }: Paths): State["passes"][number] | undefined {
  const reading = readState(state);
  return (reading.kind === "state" ? reading.state : emptyState).passes[0];
}

function alreadyRunning(): Fault {
  return new Fault("busy", { message: "another pass is running", hint: "follow it: journalctl -fu svc-upgrade" });
}

function notRecorded(complaint: string | undefined): Fault {
  return new Fault("os-failed", {
    message: `svc-upgrade.service ended without a record of its pass${complaint === undefined ? "" : `: ${complaint}`}`,
    hint: "look at what it said: journalctl -u svc-upgrade, systemctl status svc-upgrade",
  });
}
