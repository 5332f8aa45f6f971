import { Fault } from "../../../rules/fault/fault.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { freshId } from "../../../machine/program/fresh-id.ts";
import { pathsBelow } from "../../../machine/files/paths.ts";
import { conductPass, statusOf } from "../../pass/pass-under-locks.ts";
import { proxiesToGoBy } from "../../sources/proxies.ts";
import { longestAnswerBytes } from "../../record/hand-over.ts";
import { openEarly } from "../../socket/early.ts";
import { readAsked } from "../../store/asked-file.ts";
import { portsThroughUnits } from "../wiring/ports-through-units.ts";
import { sourcesOf } from "../wiring/sources.ts";
import type { CommandContext } from "../context.ts";

/** The deciding unit runs one pass: for the timer, or for the note that `run` left. */
export async function pass(context: CommandContext): Promise<number> {
  const { surroundings, log } = context;
  const { stopping } = surroundings;
  const paths = pathsBelow("/");
  if (process.geteuid?.() === 0) throw otherUnit();
  // The asking unit starts while this one finds out what to ask.
  const early = openEarly({ path: paths.asking, longestAnswerBytes });
  const passId = freshId();
  const sources = { ...sourcesOf(paths, context), calendar: "kept" } as const;
  const record = await conductPass({
    sources,
    asked: readAsked(paths, readClock().now),
    passId,
    readClock,
    hasUnits: true,
    portsFor: ({ settings, agentPaths, rows }, endpoint) => {
      const proxies = proxiesToGoBy({ paths, agentPaths }, paths.passProxies, log);
      return portsThroughUnits(
        { paths, agentPaths, settings, rows, endpoint, proxies, log, stopping, sources },
        { passId, early },
      );
    },
  });
  return statusOf(record);
}

/** While svc-upgrade is being upgraded, the old unit may start this release's files as root. */
function otherUnit(): Fault {
  return new Fault("overtaken", {
    message: "`pass` is for svc-upgrade.service alone, which runs as the user svc-upgrade, and it was started as root",
    hint: "if the package has just been upgraded, nothing is to be done; else: `sudo systemctl daemon-reload`; to run a pass: `svc-upgrade run`",
  });
}
