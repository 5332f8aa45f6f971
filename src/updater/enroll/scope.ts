import type { RunCommand } from "../../machine/processes/command.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { Paths } from "../../machine/files/paths.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import type { Endpoint, Settings } from "../../rules/settings/settings.ts";

/** What enrolling works with. */
export type EnrollScope = {
  readonly paths: Paths;
  /** The user who owns the files here: root, or the owner of the other root directory. */
  readonly ownerUid: number;
  /** "offline": systemd cannot be asked, because it does not run or the settings name another root. */
  readonly units: "running" | "offline";
  readonly run: RunCommand;
  readonly log: Log;
  /** Aborted when enrolling is asked to stop. It stops before the first change. */
  readonly stopping: AbortSignal;
  /** Asks the channel by these settings, as a pass does. */
  readonly ask: (settings: Settings, endpoint: Endpoint) => Promise<ChannelAnswer>;
};
