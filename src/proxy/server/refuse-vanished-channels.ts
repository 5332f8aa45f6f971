import { Fault } from "../../rules/fault/fault.ts";
import type { ChannelName } from "../../rules/channel/path.ts";
import type { Configuration } from "../server-rules/configuration.ts";
import type { ServingProgram } from "../server-rules/remarks.ts";

/** Long enough to read the journal, and short enough that the file's next change is a new one. */
const consentMs = 60_000;

type Refused = { readonly channels: ReadonlySet<ChannelName>; readonly atMs: number };

/**
 * A configuration that loses served channels is often an incomplete or another host's file, and every host of such a channel would be told that it
 * does not exist. Refuses it once; a second reload soon after is accepted.
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
