import { actHere, type Hands } from "../act/here.ts";
import { settingsDigest } from "../act/settings-digest.ts";
import { actThroughUnit } from "../act/through-unit.ts";
import { unwatched, watchThrough } from "../act/unit-watch.ts";
import { asFault } from "../fault/explain.ts";
import { readClock } from "../host/clock.ts";
import type { Log } from "../host/log.ts";
import type { Paths } from "../host/paths.ts";
import { runCommand } from "../host/run-command.ts";
import { runWithExeca } from "../host/run-with-execa.ts";
import { transactDirectly } from "../package/direct.ts";
import { askThroughUnit } from "../pass/ask.ts";
import type { PassPorts } from "../pass/pass.ts";
import type { Acting } from "../pass/ports.ts";
import { prepare, type SettingSources } from "../pass/prepare.ts";
import type { AgentRecord } from "../record/state.ts";
import type { AgentSettings, Hold } from "../settings/settings.ts";
import { checkKept } from "../store/kept-packages.ts";
import { writeState } from "../store/state-file.ts";
import { isGoingDown } from "../unit/going-down.ts";
import { unitControl } from "../unit/systemctl.ts";
import { askHere, isOwnRoot, observers, watchAgent, type HostScope } from "./observers.ts";

/**
 * How a pass reaches the host. "units": the asking unit asks, and the acting unit acts, by transactions that are units too. "alone": one
 * process does all of it, below another root or where systemd is not the first process.
 */
export type Means = "units" | "alone";

/** The host, and where its settings come from: a hold may be set while a pass is under way. */
export type PassScope = HostScope & { readonly sources: Pick<SettingSources, "environment" | "flags" | "ownerUid"> };

const control = unitControl(runCommand);

export function passPorts(scope: PassScope, passId: string, means: Means): Omit<PassPorts, "noteSettings"> {
  const { paths, settings, log, stopping } = scope;
  const hasUnits = means === "units";
  let seen: AgentRecord | undefined;
  const looking = observers(scope, {
    transact: transactDirectly(runWithExeca),
    ask: hasUnits ? askThroughUnits(scope, passId) : askHere(scope),
    agent: (previous) => {
      seen = previous ?? seen;
      return watchAgent(hasUnits, settings.agent, previous);
    },
  });
  const acting = hasUnits
    ? actThroughUnit({
        path: paths.acting,
        begin: () => ({ kind: "begin", pass: passId, settings: settingsDigest(settings) }),
        seen: () => seen,
        stopping,
      })
    : actAlone(
        {
          name: settings.agent.package,
          manager: async () => (await looking.findManager()).manager,
          kept: paths,
        },
        leftAlone(paths),
      );
  return {
    ...looking,
    passId,
    log,
    showSteps: () => undefined,
    saveState: (state) => writeState(paths, state),
    countRestarts: async () => (hasUnits ? countRestarts(settings.agent, log) : undefined),
    acting,
    checkKept: (kept) => checkKept(paths.keptPackages, kept),
    isGoingDown: async () => hasUnits && isGoingDown(runCommand),
    readHold: () => readHold(scope),
    stopping,
  };
}

/** Where there are no units: nothing outlives this process, and the agent's unit is left alone. */
function actAlone(hands: Hands, told: string): Acting {
  return {
    ...actHere(hands),
    awaitTransaction: () => Promise.resolve(),
    watchUnit: (begun) => watchThrough(unwatched(told), undefined, begun),
  };
}

function askThroughUnits({ paths, settings, endpoint, proxies }: PassScope, pass: string): ReturnType<typeof askThroughUnit> {
  const { channel, caFile, allowPlainHttp } = settings;
  return askThroughUnit({ pass, endpoint, channel, caFile, allowPlainHttp }, { path: paths.asking, proxies });
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
