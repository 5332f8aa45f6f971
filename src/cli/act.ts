import { answerer, type Begin, type Begun } from "../act/answer.ts";
import { actHere } from "../act/here.ts";
import { longestRequestBytes } from "../act/request.ts";
import { settingsDigest } from "../act/settings-digest.ts";
import { unitActs } from "../act/unit-watch.ts";
import { asFault } from "../fault/explain.ts";
import { Fault } from "../fault/fault.ts";
import { passedSocket } from "../host/passed-socket.ts";
import { pathsBelow, type Paths } from "../host/paths.ts";
import { runCommand } from "../host/run-command.ts";
import { runWithExeca } from "../host/run-with-execa.ts";
import { once } from "../package/once.ts";
import { settingsOfMoveInHand } from "../pass/conduct.ts";
import { prepare } from "../pass/prepare.ts";
import { proxiesToGoBy } from "../pass/proxies.ts";
import type { Settings } from "../settings/settings.ts";
import { serveOne } from "../socket/serve.ts";
import { keepEvidence } from "../store/evidence.ts";
import { awaitTransaction } from "../unit/await-transaction.ts";
import { stopwatch, type Moment } from "../unit/moment.ts";
import { decidingUnit } from "../unit/own-units.ts";
import { transactInUnit } from "../unit/transaction.ts";
import { unitEnvironment } from "../unit/unit-environment.ts";
import type { CommandContext } from "./context.ts";
import { hostObservers } from "./observers.ts";

const oneSocket = {
  socket: "svc-upgrade-act.socket",
  hint: "leave one ListenStream= there: systemctl cat svc-upgrade-act.socket",
};
const transactions = { run: runWithExeca, stopwatch, directory: "/run/svc-upgrade" };

/** The acting unit: does what one pass asks of it, one thing after the other, by root's own settings. */
export async function act(context: CommandContext): Promise<number> {
  const { surroundings, log } = context;
  const socket = passedSocket({ environment: surroundings.environment, processId: process.pid }, oneSocket);
  if (socket === undefined) {
    throw new Fault("usage", {
      message: "`act` is for svc-upgrade-act.service alone, which svc-upgrade-act.socket starts",
      hint: "to run a pass: svc-upgrade run",
    });
  }
  const answer = answerer(beginning(context), log);
  const end = await serveOne({ listen: { fd: socket }, answer, longestRequestBytes, stopping: surroundings.stopping });
  if (end === "nobody came") log("notice", "nobody asked for anything", {});
  return 0;
}

function beginning(context: CommandContext): Begin {
  const paths = pathsBelow("/");
  return async ({ pass, settings: decidedBy }) => {
    const settings = await ownSettings(paths, context);
    if (settingsDigest(settings) !== decidedBy) throw otherSettings();
    const working = begun(settings, paths, context);
    const { unit } = working;
    const lastLines = async (since: Moment): Promise<readonly string[]> =>
      keepEvidence(paths, { pass, lines: await unit.lastLines(since) }, context.log);
    return { ...working, unit: { ...unit, lastLines } };
  };
}

/** As they are at this moment; where they cannot be read, a move in hand is ended with those that it began with. */
async function ownSettings(paths: Paths, { log }: CommandContext): Promise<Settings> {
  const environment = await unitEnvironment(runCommand, decidingUnit);
  const sources = { paths, environment, flags: [], ownerUid: 0, log: () => undefined };
  try {
    return (await prepare(sources)).settings;
  } catch (thrown) {
    const begunWith = settingsOfMoveInHand(paths, sources.ownerUid);
    if (begunWith === undefined) throw thrown;
    log("debug", "the settings that the move in hand began with count", { why: asFault(thrown).message });
    return begunWith;
  }
}

function begun(settings: Settings, paths: Paths, { log }: CommandContext): Begun {
  const proxies = proxiesToGoBy(paths, paths.actProxies, log);
  const { findManager } = hostObservers({ paths, settings, proxies }, transactInUnit(transactions));
  const name = settings.agent.package;
  const unit = unitActs({ settings, log });
  return {
    name,
    unit,
    acting: actHere({ name, manager: once(async () => (await findManager()).manager), kept: paths }),
    awaitTransaction: (how, gone) => awaitTransaction({ run: runCommand, stopwatch, log, stopping: gone }, how),
  };
}

function otherSettings(): Fault {
  return new Fault("overtaken", {
    message: "nothing was changed: svc-upgrade-act.service reads other settings than those that the pass began with",
    hint: "if somebody has just changed them, the next pass goes on; a variable SVC_UPGRADE_… counts as Environment= of svc-upgrade.service alone: systemctl edit svc-upgrade",
  });
}
