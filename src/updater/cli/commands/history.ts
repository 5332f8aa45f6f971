import { encode } from "../../../rules/shape/write.ts";
import { isBooted, isOwnRoot } from "../../../machine/processes/booted.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { pathsBelow } from "../../../machine/files/paths.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { lookBack } from "../../status/history.ts";
import { isPassRunning } from "../../status/look-at-units.ts";
import { unitControl } from "../../unit/systemctl.ts";
import type { CommandContext } from "../context.ts";
import { historyAnswer } from "../json/history.ts";
import type { SharedOptions } from "../options.ts";
import { renderHistory } from "../screen/history.ts";
import { paintFor } from "../screen/paint.ts";
import { hostZone } from "../times/tell-local.ts";

/** Tells what changed here and whether it worked, even if a file cannot be read. */
export async function history({ root, json }: SharedOptions, { surroundings }: CommandContext): Promise<number> {
  const paths = pathsBelow(root);
  const hasUnits = isOwnRoot(paths) && isBooted();
  const isUnitRunning = async (): Promise<boolean> => hasUnits && (await isPassRunning(unitControl(runCommand)));
  const view = await lookBack(paths, { now: readClock().now, isUnitRunning });
  const { out, stdoutIs } = surroundings;
  out(
    json
      ? `${JSON.stringify(encode(historyAnswer, view))}\n`
      : renderHistory(view, { zone: hostZone(), paint: paintFor(stdoutIs, surroundings) }),
  );
  return 0;
}
