import { readClock } from "../../host/clock.ts";
import { pathsBelow, type Paths } from "../../host/paths.ts";
import { runCommand } from "../../host/run-command.ts";
import { layProxies, proxiesToSee } from "../../sources/proxies.ts";
import { proxyVariablesIn, type ProxyVariables } from "../../route/route.ts";
import { look, type LookPorts } from "../../status/look.ts";
import { viewOf } from "../../status/view.ts";
import { thisMoment } from "../../unit/moment.ts";
import { unitControl } from "../../unit/systemctl.ts";
import { showTimer } from "../../unit/timer.ts";
import type { CommandContext } from "../context.ts";
import { lookingObservers } from "../wiring/observers.ts";
import type { SharedOptions } from "../options.ts";
import { withOrigin } from "./route.ts";
import { paintFor } from "../screen/paint.ts";
import { renderStatus } from "../screen/status.ts";
import { sourcesOf } from "../wiring/sources.ts";
import { statusJson } from "../json/status.ts";
import type { Surroundings } from "../surroundings.ts";
import { hostZone } from "../times/told.ts";
import { isBooted, isOwnRoot } from "../../host/booted.ts";

/** Why nothing happened, and when something can. It has always an answer: even what is wrong with the settings is one. */
export async function status(options: SharedOptions, context: CommandContext): Promise<number> {
  const { surroundings } = context;
  const paths = pathsBelow(options.root);
  const seen = await look(portsFor(paths, context));
  const rule = seen.route === undefined ? "" : withOrigin(seen.route.rule, ownProxies(paths, surroundings), paths);
  const view = viewOf({ ...seen, route: seen.route && { ...seen.route, rule } });
  const { out, stdoutIs } = surroundings;
  out(
    options.json
      ? `${JSON.stringify(statusJson(view))}\n`
      : renderStatus(view, { zone: hostZone(), paint: paintFor(stdoutIs, surroundings) }),
  );
  return 0;
}

function portsFor(paths: Paths, context: CommandContext): LookPorts {
  const { surroundings } = context;
  const isOwn = isOwnRoot(paths);
  return {
    sources: sourcesOf(paths, context),
    userId: surroundings.userId,
    readClock,
    proxies: (log) => layProxies(proxiesToSee(paths, log), ownProxies(paths, surroundings)),
    observers: (settings) => lookingObservers({ paths, settings }),
    units: isOwn ? (isBooted() ? unitPorts() : "no-systemd") : "another-root",
  };
}

/** The units know nothing of this shell's variables; a pass below another root is this shell's own. */
function ownProxies(paths: Paths, { environment }: Surroundings): ProxyVariables {
  return isOwnRoot(paths) ? {} : proxyVariablesIn(environment);
}

function unitPorts(): Exclude<LookPorts["units"], string> {
  return {
    show: unitControl(runCommand).show,
    showTimer: () => showTimer(runCommand),
    monotonicUs: () => thisMoment().monotonicUs,
  };
}
