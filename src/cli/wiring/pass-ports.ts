import { actHere } from "../../act/here.ts";
import { settingsDigest } from "../../act/settings-digest.ts";
import { actThroughUnit } from "../../act/through-unit.ts";
import { unwatched, watchThrough } from "../../act/unit-watch.ts";
import { asFault } from "../../fault/explain.ts";
import { readClock } from "../../host/clock.ts";
import type { Paths } from "../../host/paths.ts";
import { runWithExeca } from "../../host/run-with-execa.ts";
import { transactDirectly } from "../../package/direct.ts";
import { askThroughUnit } from "../../pass/ask.ts";
import type { PassPorts } from "../../pass/pass.ts";
import type { ActingSide, Observers } from "../../pass/ports.ts";
import { prepare, type SettingSources } from "../../sources/settings.ts";
import { policyOf, type Asked } from "../../plan/policy.ts";
import type { AgentRecord } from "../../record/state.ts";
import type { SettingRow, Settings } from "../../settings/settings.ts";
import { writeBegunSettings } from "../../store/begun-settings.ts";
import { checkKept, notKeptIn, openMoveIn } from "../../store/ledger-file.ts";
import { writeState } from "../../store/state-file.ts";
import { askHere, observers, refuseTransaction, type HostScope } from "./observers.ts";
import { unitSeen } from "./unit-seen.ts";
import { isOwnRoot } from "../../host/booted.ts";

/**
 * How a pass reaches the host. "units": the asking unit asks, and the acting unit acts, by transactions that are units too. "alone": one
 * process does all of it, below another root or where systemd is not the first process.
 */
export type PassMeans = { readonly kind: "units" } | { readonly kind: "alone"; readonly asked: Asked };

/** The host, and where its settings come from: they may be changed while a pass is under way. */
export type PassScope = HostScope & {
  readonly rows: readonly SettingRow[];
  readonly sources: Pick<SettingSources, "environment" | "flags" | "ownerUid">;
};

export type OfPass = { readonly passId: string; readonly means: PassMeans };

export function passPorts(scope: PassScope, pass: OfPass): PassPorts {
  return pass.means.kind === "units" ? throughUnits(scope, pass.passId) : alone(scope, pass.passId, pass.means.asked);
}

function throughUnits(scope: PassScope, passId: string): PassPorts {
  const { paths, settings, log, stopping } = scope;
  let seen: AgentRecord | undefined;
  const acting = actThroughUnit({
    path: paths.acting,
    begin: () => ({ kind: "begin", pass: passId, settings: settingsDigest(settings) }),
    seen: () => seen,
    stopping,
  });
  const unit = unitSeen(settings.agent, acting, log);
  const looking = observers(scope, {
    transact: refuseTransaction,
    ask: askThroughUnits(scope, passId),
    agent: (previous) => {
      seen = previous ?? seen;
      return unit.condition(previous);
    },
  });
  return {
    ...common(scope, passId),
    ...looking,
    findManager: async () => {
      const { manager, installed } = await looking.findManager();
      return { manager: { ...manager, offers: acting.offers, buildOf: (_name, version) => acting.buildOf(version) }, installed };
    },
    acting,
    countRestarts: unit.restarts,
    isGoingDown: unit.isGoingDown,
  };
}

/** Where there are no units: nothing outlives this process, and the agent's unit is left alone. */
function alone(scope: PassScope, passId: string, asked: Asked): PassPorts {
  const { paths, settings, rows } = scope;
  const looking = observers(scope, {
    transact: transactDirectly(runWithExeca),
    ask: askHere(scope),
    agent: () => Promise.resolve("unknown"),
  });
  const hands = {
    settings,
    manager: async () => (await looking.findManager()).manager,
    paths,
    pass: passId,
    gates: {
      policy: async () => policyOf(await settingsNow(scope), asked),
      schedule: looking.readSchedule,
      now: () => readClock().now,
    },
    noteSettings: () => writeBegunSettings(paths, passId, rows),
  };
  const acting: ActingSide = {
    ...actHere(hands),
    awaitTransaction: () => Promise.resolve(),
    watchUnit: (begun) => watchThrough(unwatched(leftAlone(paths)), undefined, begun),
  };
  return {
    ...common(scope, passId),
    ...looking,
    acting,
    countRestarts: () => Promise.resolve(undefined),
    isGoingDown: () => Promise.resolve(false),
  };
}

type Common = Omit<PassPorts, keyof Observers | "acting" | "countRestarts" | "isGoingDown">;

function common(scope: PassScope, passId: string): Common {
  const { paths, log, stopping } = scope;
  return {
    passId,
    log,
    showSteps: () => undefined,
    saveState: (state) => writeState(paths, state),
    isUnsettled: () => openMoveIn(paths) !== undefined,
    whyNotKept: (version) => {
      const notKept = notKeptIn(paths);
      return notKept?.packageVersion === version ? notKept.why : undefined;
    },
    movedAlong: () => openMoveIn(paths)?.companions ?? [],
    checkKept: (kept) => checkKept(paths, kept),
    readHold: async () => (await settingsNow(scope)).hold,
    stopping,
  };
}

function askThroughUnits({ paths, settings, endpoint, proxies }: PassScope, pass: string): ReturnType<typeof askThroughUnit> {
  const { channel, caFile, allowPlainHttp } = settings;
  return askThroughUnit({ pass, endpoint, channel, caFile, allowPlainHttp }, { path: paths.asking, proxies });
}

function leftAlone(paths: Paths): string {
  return `its unit was left alone, as always ${isOwnRoot(paths) ? "where systemd does not run" : "below another root"}`;
}

/** Settings that somebody is writing at this moment, or has broken, say nothing new. */
async function settingsNow({ paths, settings, sources, log }: PassScope): Promise<Settings> {
  try {
    // What it has to say of single files was said when the pass began.
    return (await prepare({ ...sources, paths, log: () => undefined })).settings;
  } catch (thrown) {
    const why = asFault(thrown).message;
    log("warning", "the settings cannot be read again; they count as they did when the pass began", { why });
    return settings;
  }
}
