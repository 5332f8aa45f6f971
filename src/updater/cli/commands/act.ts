import { setTimeout as sleep } from "node:timers/promises";
import { answerer, type Begin, type Begun } from "../../act/answer.ts";
import { actHere } from "../../act/package-acts.ts";
import { notifierHere } from "../../act/notifier.ts";
import { longestRequestBytes } from "../../act/request.ts";
import { settingsDigest } from "../../act/settings-digest.ts";
import { unitActs } from "../../act/unit-watch.ts";
import { asFault } from "../../../rules/fault/explain.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { pathsBelow, type Paths } from "../../../machine/files/paths.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { runWithExeca } from "../../../machine/processes/run-with-execa.ts";
import { once } from "../../package/call/once.ts";
import { begunWithBy, busy } from "../../pass/pass-under-locks.ts";
import { prepare, type PreparedSettings } from "../../sources/settings.ts";
import { proxiesToGoBy } from "../../sources/proxies.ts";
import { policyOf, type Asked } from "../../plan/host-policy.ts";
import { serveOne } from "../../socket/serve.ts";
import { takeAsked } from "../../store/asked-file.ts";
import { writeBegunSettings } from "../../store/begun-settings.ts";
import { keepEvidence } from "../../store/evidence.ts";
import { openMoveIn } from "../../store/ledger-file.ts";
import { takeLock, type Lock } from "../../store/lock.ts";
import { keepReserve } from "../../store/reserve.ts";
import { readSchedule } from "../../store/schedule-file.ts";
import { awaitTransaction } from "../../unit/await-transaction.ts";
import { isGoingDown } from "../../unit/going-down.ts";
import { stopwatch } from "../../../machine/clocks/stopwatch.ts";
import { notifyDirectory } from "../../unit/notify-command.ts";
import { decidingUnit } from "../../unit/own-units.ts";
import { transactInUnit } from "../../unit/transaction.ts";
import { unitEnvironment } from "../../unit/unit-environment.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import type { CommandContext } from "../context.ts";
import { writeEvent } from "../json/event.ts";
import { hostObservers } from "../wiring/observers.ts";
import { sourcesOf } from "../wiring/sources.ts";
import { socketFor } from "../wiring/unit-socket.ts";

const transactions = { run: runWithExeca, stopwatch, directory: "/run/svc-upgrade" };

/** The acting unit: does what one pass asks, one thing after the other, by root's own settings. */
export async function act(context: CommandContext): Promise<number> {
  const { surroundings, log } = context;
  const socket = socketFor("act", surroundings, "to run a pass: svc-upgrade run");
  const answer = answerer(beginning(context), log);
  const end = await serveOne({ listen: { fd: socket }, answer, longestRequestBytes, stopping: surroundings.stopping });
  if (end === "nobody came") log("notice", "no request came", {});
  return 0;
}

function beginning(context: CommandContext): Begin {
  const paths = pathsBelow("/");
  let lock: Lock | undefined;
  return async ({ pass, settings: decidedBy }) => {
    // The lock is held until this process ends. A release that changes the host in its own process takes the same lock.
    lock ??= takeLock({ root: paths.root, lock: paths.changeLock }, `pass ${pass}`);
    if (lock.kind === "busy") throw busy(lock.holder);
    keepReserve({ root: paths.root, directory: paths.rootsDirectory });
    // Takes the note, so that no later pass follows it.
    const asked = takeAsked(paths, pass, readClock().now);
    const prepared = await ownSettings(paths, context);
    if (settingsDigest(prepared.settings) !== decidedBy) throw otherSettings();
    return begun({ paths, pass, asked, prepared }, context);
  };
}

/** If the settings cannot be read, the open move is ended with those that began it. */
async function ownSettings(paths: Paths, { log }: CommandContext): Promise<PreparedSettings> {
  try {
    return await settingsNow(paths);
  } catch (thrown) {
    const move = openMoveIn(paths);
    const begunWith = move && begunWithBy(move.pass, { paths, ownerUid: rootsUid });
    if (begunWith === undefined) throw thrown;
    log("debug", "the settings that the move in hand began with count", { why: asFault(thrown).message });
    return begunWith;
  }
}

async function settingsNow(paths: Paths): Promise<PreparedSettings> {
  const environment = await unitEnvironment(runCommand, decidingUnit);
  return prepare(sourcesOf(paths, { surroundings: { environment, userId: rootsUid }, log: () => undefined }));
}

const rootsUid = 0;

type ToBegin = { readonly paths: Paths; readonly pass: string; readonly asked: Asked; readonly prepared: PreparedSettings };

function begun({ paths, pass, asked, prepared: { settings, agentPaths, rows } }: ToBegin, context: CommandContext): Begun {
  const { log } = context;
  const proxies = proxiesToGoBy({ paths, agentPaths }, paths.actProxies, log);
  const { findManager } = hostObservers({ paths, settings, proxies }, transactInUnit(transactions));
  const unit = unitActs({ settings, log });
  const now = (): UnixSeconds => readClock().now;
  const gates = {
    policy: async () => policyOf((await settingsNow(paths)).settings, asked),
    schedule: () => readSchedule(agentPaths.schedule, { now, wait: (ms) => sleep(ms) }),
    now,
  };
  const acting = actHere({
    settings,
    manager: once(async () => (await findManager()).manager),
    paths,
    pass,
    gates,
    noteSettings: () => writeBegunSettings(paths, pass, rows),
  });
  return {
    unit: {
      ...unit,
      activate: async (wanted) =>
        acting.countUngated() === "counted" ? unit.activate(wanted) : `${settings.agent.unit} was left as it is`,
      lastLines: async (since) => keepEvidence(paths, { pass, lines: await unit.lastLines(since) }, log),
    },
    acting,
    notifier: notifierHere({ notify: settings.notify, run: runCommand, directory: notifyDirectory, write: writeEvent }),
    isGoingDown: () => isGoingDown(runCommand),
    awaitTransaction: (how, gone) => awaitTransaction({ run: runCommand, stopwatch, log, stopping: gone }, how),
  };
}

function otherSettings(): Fault {
  return new Fault("overtaken", {
    message: "nothing was changed: svc-upgrade-act.service reads other settings than those that the pass began with",
    hint: "if they were just changed, the next pass goes on; a variable SVC_UPGRADE_… counts as Environment= of svc-upgrade.service alone: `sudo systemctl edit svc-upgrade`",
  });
}
