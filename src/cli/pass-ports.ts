import { asFault } from "../fault/explain.ts";
import { readClock } from "../host/clock.ts";
import type { Log } from "../host/log.ts";
import type { Paths } from "../host/paths.ts";
import { runCommand } from "../host/run-command.ts";
import { runWithExeca } from "../host/run-with-execa.ts";
import { transactDirectly } from "../package/direct.ts";
import { askThroughUnit } from "../pass/ask.ts";
import type { PassPorts } from "../pass/pass.ts";
import type { KeptPackages } from "../pass/ports.ts";
import { prepare, type SettingSources } from "../pass/prepare.ts";
import { startAsking } from "../pass/start-asking.ts";
import type { AgentRecord } from "../record/state.ts";
import type { AgentSettings, Hold } from "../settings/settings.ts";
import { adoptPackage, checkKept, keepOnly, prepareKept } from "../store/kept-packages.ts";
import { writeState } from "../store/state-file.ts";
import { awaitTransaction } from "../unit/await-transaction.ts";
import { isGoingDown } from "../unit/going-down.ts";
import { stopwatch } from "../unit/moment.ts";
import { unitControl } from "../unit/systemctl.ts";
import { transactInUnit } from "../unit/transaction.ts";
import { askHere, isBooted, isOwnRoot, observers, watchAgent, type HostScope } from "./observers.ts";
import { unwatched, watchUnit } from "./unit-watch.ts";

/**
 * How a pass reaches the host. "units": the asking unit asks and the transaction unit acts. "alone": one process does all
 * three, below another root or where systemd is not the first process.
 */
export type Means = "units" | "alone";

/** The host, and where its settings come from: a hold may be set while a pass is under way. */
export type PassScope = HostScope & { readonly sources: Pick<SettingSources, "environment" | "flags" | "ownerUid"> };

const transactions = { run: runWithExeca, stopwatch, directory: "/run/svc-upgrade" };

const control = unitControl(runCommand);

export function passPorts(scope: PassScope, passId: string, means: Means): Omit<PassPorts, "noteSettings"> {
  const { paths, settings, endpoint, proxies, log, stopping } = scope;
  const hasUnits = isOwnRoot(paths) && isBooted();
  const question = {
    pass: passId,
    endpoint,
    channel: settings.channel,
    caFile: settings.caFile,
    allowPlainHttp: settings.allowPlainHttp,
  };
  const start = startAsking({ paths, control, log });
  const units = { paths, proxies, start, now: () => readClock().now };
  let seen: AgentRecord | undefined;
  return {
    ...observers(scope, {
      transact: means === "units" ? transactInUnit(transactions) : transactDirectly(runWithExeca),
      ask: means === "units" ? askThroughUnit(question, units) : askHere(scope),
      agent: (previous) => {
        seen = previous ?? seen;
        return watchAgent(hasUnits, settings.agent, previous);
      },
    }),
    passId,
    log,
    showSteps: () => undefined,
    saveState: (state) => writeState(paths.state, state),
    countRestarts: async () => (hasUnits ? countRestarts(settings.agent, log) : undefined),
    watchUnit: async (begun) => (hasUnits ? watchUnit({ settings, seen, log }, begun) : unwatched(leftAlone(paths))),
    kept: keptIn(paths.keptPackages),
    awaitTransaction: async (how) => {
      if (hasUnits) await awaitTransaction({ run: runCommand, stopwatch, log, stopping }, how);
    },
    isGoingDown: async () => hasUnits && isGoingDown(runCommand),
    readHold: () => readHold(scope),
    stopping,
  };
}

/** Only a later rescue needs it: the record of a pass that has moved must not be lost for it. */
async function countRestarts({ unit }: AgentSettings, log: Log): ReturnType<PassPorts["countRestarts"]> {
  try {
    return { bootId: readClock().bootId, restarts: (await control.show(unit)).restarts };
  } catch (thrown) {
    log("warning", "the restarts of the agent's unit could not be counted", { why: asFault(thrown).message });
    return undefined;
  }
}

function leftAlone(paths: Paths): string {
  return `its unit was left alone, as always ${isOwnRoot(paths) ? "where systemd does not run" : "below another root"}`;
}

function keptIn(directory: string): KeptPackages {
  return {
    directory,
    prepare: () => prepareKept(directory),
    adopt: (file, packageVersion) => adoptPackage(directory, file, packageVersion),
    check: (kept) => checkKept(directory, kept),
    keepOnly: (kept) => keepOnly(directory, kept),
  };
}

/** Settings that somebody is writing at this moment, or has broken, say nothing new of the hold. */
async function readHold({ paths, settings, sources, log }: PassScope): Promise<Hold | undefined> {
  try {
    // What it has to say of single files was said when the pass began.
    return (await prepare({ ...sources, paths, log: () => undefined })).settings.hold;
  } catch (thrown) {
    const why = asFault(thrown).message;
    log("warning", "the settings cannot be read again; a hold counts as it did when the pass began", { why });
    return settings.hold;
  }
}
