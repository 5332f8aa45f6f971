import { asFault } from "../../fault/explain.ts";
import type { PassPorts } from "../../pass/pass.ts";
import type { Observers } from "../../pass/ports.ts";
import { prepare, type SettingSources } from "../../sources/settings.ts";
import type { SettingRow, Settings } from "../../settings/settings.ts";
import { checkKept, notKeptIn, openMoveIn } from "../../store/ledger-file.ts";
import { writeState } from "../../store/state-file.ts";
import type { HostScope } from "./observers.ts";

/** The host, and where its settings come from: they may be changed while a pass is under way. */
export type PassScope = HostScope & {
  readonly rows: readonly SettingRow[];
  readonly sources: Pick<SettingSources, "environment" | "flags" | "ownerUid">;
};

type Common = Omit<PassPorts, keyof Observers | "acting" | "countRestarts" | "isGoingDown">;

/** What is the same whoever acts. */
export function commonPorts(scope: PassScope, passId: string): Common {
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

/** Settings that somebody is writing at this moment, or has broken, say nothing new. */
export async function settingsNow({ paths, settings, sources, log }: PassScope): Promise<Settings> {
  try {
    // What it has to say of single files was said when the pass began.
    return (await prepare({ ...sources, paths, log: () => undefined })).settings;
  } catch (thrown) {
    const why = asFault(thrown).message;
    log("warning", "the settings cannot be read again; they count as they did when the pass began", { why });
    return settings;
  }
}
