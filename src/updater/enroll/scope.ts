import type { RunCommand } from "../../machine/processes/command.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { Paths } from "../../machine/files/paths.ts";
import type { ChannelAnswer } from "../../rules/decide/gate-facts.ts";
import type { Endpoint, Settings } from "../../rules/settings/settings.ts";

/** What enrolling works with. */
export type EnrollScope = {
  readonly paths: Paths;
  /** Whose the files of this root are: root's, or those of the user to whom another root belongs. */
  readonly ownerUid: number;
  /** "offline": below another root, or where systemd is not the first process. */
  readonly units: "running" | "offline";
  readonly run: RunCommand;
  readonly log: Log;
  /** Raised when it is asked to stop: before anything was changed it does. */
  readonly stopping: AbortSignal;
  /** Asks a channel by these settings, as a pass would. */
  readonly ask: (settings: Settings, endpoint: Endpoint) => Promise<ChannelAnswer>;
};
