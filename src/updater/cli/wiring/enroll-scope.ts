import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import type { EnrollScope } from "../../enroll/scope.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { agentPathsBelow, type Paths } from "../../../machine/files/paths.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { askThroughUnit, bringUp } from "../../pass/ask.ts";
import { unitControl } from "../../unit/systemctl.ts";
import { changeable } from "../changeable.ts";
import type { CommandContext } from "../context.ts";
import { askHere } from "./observers.ts";
import type { SharedOptions } from "../options.ts";
import { isOfShell, proxiesSeen } from "./sources.ts";
import { isBooted, isOwnRoot } from "../../../machine/processes/booted.ts";

/** The given root, if this user may change it. */
export function changeableByOwner(command: string, options: SharedOptions, context: CommandContext): Paths {
  const { userId } = context.surroundings;
  const paths = changeable(command, options, context);
  if (userId === 0 || statSync(paths.root).uid === userId) return paths;
  throw new Fault("not-permitted", {
    message: `${paths.root} belongs to another user`,
    hint: `run it as its owner, or as root: \`sudo svc-upgrade ${command} --root ${paths.root}\``,
  });
}

/** The context without this shell's variables: the unit runs the pass, and does not see them. */
export function withUnitsEnvironment({ surroundings, log }: CommandContext): CommandContext {
  const all = Object.entries(surroundings.environment);
  const ignored = all.map(([name]) => name).filter(isOfShell);
  if (ignored.length > 0) {
    log("warning", "settings of this shell are not written anywhere and do not count here", { ignored: ignored.join(" ") });
  }
  const environment = Object.fromEntries(all.filter(([name]) => !isOfShell(name)));
  return { surroundings: { ...surroundings, environment }, log };
}

export function enrollScope(paths: Paths, { surroundings, log }: CommandContext): EnrollScope {
  const { environment, userId, stopping } = surroundings;
  const units = isOwnRoot(paths) && isBooted() ? "running" : "offline";
  return {
    paths,
    ownerUid: userId,
    units,
    run: runCommand,
    log,
    stopping,
    ask: (settings, endpoint) => {
      const agentPaths = agentPathsBelow(paths.root, settings.agentFiles);
      const proxies = proxiesSeen({ paths, agentPaths, environment, log });
      const { channel, caFile, allowPlainHttp } = settings;
      const ask =
        units === "running"
          ? askThroughUnit(
              { pass: randomUUID(), endpoint, channel, caFile, allowPlainHttp },
              { path: paths.asking, proxies, bringUp: () => bringUp(unitControl(runCommand)) },
            )
          : askHere({ paths, agentPaths, settings, endpoint, proxies, log, stopping });
      return ask(Promise.resolve(undefined));
    },
  };
}
