import type { RunCommand } from "../host/command.ts";
import type { Log } from "../host/log.ts";
import type { Paths } from "../host/paths.ts";
import type { ChannelAnswer } from "../decide/facts.ts";
import type { Endpoint, Settings } from "../settings/settings.ts";

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
