import { Fault } from "../../rules/fault/fault.ts";
import type { ChannelName } from "../../rules/channel/path.ts";
import type { Configuration } from "../server-rules/configuration.ts";
import type { ServingProgram } from "../server-rules/remarks.ts";

/** Long enough to read the journal, and short enough that the file's next change is a new one. */
const consentMs = 60_000;

type Refused = { readonly channels: ReadonlySet<ChannelName>; readonly atMs: number };

/**
 * Refuses a configuration once that lacks channels which are served now. Such a file is often incomplete or another host's, and every host of these
 * channels would hear that its channel does not exist. Accepts it if the administrator reloads again soon.
 */
export function refuseVanishing(
  nowMs: () => number,
  program: ServingProgram,
): (before: Configuration, after: Configuration) => void {
  let last: Refused | undefined;
  return (before, after) => {
    const gone = [...before.channels.keys()].filter((name) => !after.channels.has(name));
    const known = last !== undefined && nowMs() - last.atMs <= consentMs ? last.channels : new Set();
    last = undefined;
    if (gone.every((name) => known.has(name))) return;
    last = { channels: new Set(gone), atMs: nowMs() };
    throw new Fault("settings-invalid", {
      message:
        gone.length === 1
          ? `the channel ${gone.join()} would vanish, and hosts that ask for it would get no version`
          : `the channels ${gone.join(", ")} would vanish, and hosts that ask for them would get no version`,
      hint: `where that is meant, reload once more within a minute: \`sudo systemctl reload ${program}\``,
    });
  };
}
