import { isBooted, isOwnRoot } from "../../../machine/processes/booted.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import type { Paths } from "../../../machine/files/paths.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { proxyVariablesIn, type ProxyVariables } from "../../../rules/route/route.ts";
import { layProxies, proxiesToSee } from "../../sources/proxies.ts";
import type { LookPorts } from "../../status/look.ts";
import { thisMoment } from "../../unit/moment.ts";
import { unitControl } from "../../unit/systemctl.ts";
import { showTimer } from "../../unit/timer.ts";
import type { CommandContext } from "../context.ts";
import type { Surroundings } from "../surroundings.ts";
import { lookingObservers } from "./observers.ts";
import { sourcesOf } from "./sources.ts";

/** Ports for commands that only look at a host. They change nothing. */
export function lookPorts(paths: Paths, context: CommandContext): LookPorts {
  const { surroundings } = context;
  const isOwn = isOwnRoot(paths);
  return {
    sources: sourcesOf(paths, context),
    userId: surroundings.userId,
    readClock,
    proxies: (agentPaths, log) => layProxies(proxiesToSee({ paths, agentPaths }, log), ownProxies(paths, surroundings)),
    observers: (settings) => lookingObservers({ paths, settings }),
    units: isOwn ? (isBooted() ? unitPorts() : "no-systemd") : "another-root",
  };
}

/** The proxies of a pass. Units do not see this shell's variables, but a pass below another root does. */
export function ownProxies(paths: Paths, { environment }: Surroundings): ProxyVariables {
  return isOwnRoot(paths) ? {} : proxyVariablesIn(environment);
}

function unitPorts(): Exclude<LookPorts["units"], string> {
  return {
    show: unitControl(runCommand).show,
    showTimer: () => showTimer(runCommand),
    monotonicUs: () => thisMoment().monotonicUs,
  };
}
