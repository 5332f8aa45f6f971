import { asFault } from "../../../rules/fault/explain.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import type { PassPorts } from "../../pass/pass.ts";
import type { Observers } from "../../pass/ports.ts";
import { prepare, type SettingSources } from "../../sources/settings.ts";
import type { SettingRow, Settings } from "../../../rules/settings/settings.ts";
import { checkKept, notKeptIn, openMoveIn } from "../../store/ledger-file.ts";
import type { HistoryChange } from "../../store/history-file.ts";
import { writeState } from "../../store/state-file.ts";
import type { HostScope } from "./observers.ts";

/** The host, and the sources of its settings, which may change during a pass. */
export type PassScope = HostScope & {
  readonly rows: readonly SettingRow[];
  readonly sources: Pick<SettingSources, "environment" | "flags" | "ownerUid">;
};

type Common = Omit<PassPorts, keyof Observers | "acting" | "notifier" | "countRestarts" | "isGoingDown">;

/** The ports that do not depend on who acts. */
export function commonPorts(scope: PassScope, passId: string): Common {
  const { paths, log, stopping } = scope;
  return {
    passId,
    log,
    showSteps: () => undefined,
    saveState: (state) => writeState(paths, state),
    changeHistory: lazyHistory(scope),
    isUnsettled: () => openMoveIn(paths) !== undefined,
    whyNotKept: (version) => {
      const notKept = notKeptIn(paths);
      return notKept?.packageVersion === version ? notKept.why : undefined;
    },
    movedAlong: () => openMoveIn(paths)?.companions ?? [],
    checkKept: (kept) => checkKept(paths, kept),
    readOrders: async () => {
      const { hold, pin } = await settingsNow(scope);
      return { hold, pin };
    },
    stopping,
  };
}

/** Loads the history's code only for a move, because only moves are recorded. */
function lazyHistory({ paths, log }: PassScope): PassPorts["changeHistory"] {
  let opened: Promise<(change: HistoryChange) => void> | undefined;
  return async (change) => {
    opened ??= import("../../store/history-file.ts").then(({ openHistory }) =>
      openHistory(paths, { log, readNow: () => readClock().now }),
    );
    (await opened)(change);
  };
}

/** The settings now. If they are being written or are broken, those of the pass count. */
export async function settingsNow({ paths, settings, sources, log }: PassScope): Promise<Settings> {
  try {
    // Logs nothing: warnings about files were logged when the pass began.
    return (await prepare({ ...sources, paths, log: () => undefined })).settings;
  } catch (thrown) {
    const why = asFault(thrown).message;
    log("warning", "the settings cannot be read again; they count as they did when the pass began", { why });
    return settings;
  }
}
