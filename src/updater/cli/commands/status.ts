import { encode } from "../../../rules/shape/write.ts";
import { pathsBelow } from "../../../machine/files/paths.ts";
import { look } from "../../status/look.ts";
import { viewOf } from "../../status/view.ts";
import type { CommandContext } from "../context.ts";
import { lookPorts, ownProxies } from "../wiring/look-ports.ts";
import type { SharedOptions } from "../options.ts";
import { withOrigin } from "./route.ts";
import { paintFor } from "../screen/paint.ts";
import { renderStatus } from "../screen/status.ts";
import { statusAnswer } from "../json/status.ts";
import { hostZone } from "../times/tell-local.ts";

/** Says why nothing happened, and when something can happen. Always answers, even with wrong settings. */
export async function status(options: SharedOptions, context: CommandContext): Promise<number> {
  const { surroundings } = context;
  const paths = pathsBelow(options.root);
  const seen = await look(lookPorts(paths, context));
  const rule = seen.route === undefined ? "" : withOrigin(seen.route.rule, ownProxies(paths, surroundings), seen.agentPaths);
  const view = viewOf({ ...seen, route: seen.route && { ...seen.route, rule } });
  const { out, stdoutIs } = surroundings;
  out(
    options.json
      ? `${JSON.stringify(encode(statusAnswer, view))}\n`
      : renderStatus(view, { zone: hostZone(), paint: paintFor(stdoutIs, surroundings) }),
  );
  return 0;
}
