import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { ensureDirectory } from "../enroll/directory.ts";
import type { EnrollScope } from "../enroll/scope.ts";
import { Fault } from "../fault/fault.ts";
import type { Paths } from "../host/paths.ts";
import { runCommand } from "../host/run-command.ts";
import { layProxies, pick, proxiesInFile } from "../pass/proxies.ts";
import { changeable } from "./changeable.ts";
import type { CommandContext } from "./context.ts";
import { isBooted, isOwnRoot } from "./observers.ts";
import type { SharedOptions } from "./options.ts";
import { passPorts } from "./pass-ports.ts";

/** The root that was named, if this user may change it. */
export function changeableByOwner(command: string, options: SharedOptions, context: CommandContext): Paths {
  const { userId } = context.surroundings;
  const paths = changeable(command, options, context);
  if (userId === 0 || statSync(paths.root).uid === userId) return paths;
  throw new Fault("not-permitted", {
    message: `${paths.root} belongs to another user`,
    hint: `run it as its owner, or as root: sudo svc-upgrade ${command} --root ${paths.root}`,
  });
}

/** The pass is the unit's: what only this shell sets is neither written nor in force there. */
export function withUnitsEnvironment({ surroundings, log }: CommandContext): CommandContext {
  const all = Object.entries(surroundings.environment);
  const isIgnored = (name: string): boolean => name.startsWith("SVC_UPGRADE_") && !name.startsWith("SVC_UPGRADE_LOG_");
  const ignored = all.map(([name]) => name).filter(isIgnored);
  if (ignored.length > 0) {
    log("warning", "settings of this shell are not written anywhere and do not count here", { ignored: ignored.join(" ") });
  }
  const environment = Object.fromEntries(all.filter(([name]) => !isIgnored(name)));
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
      const proxies = layProxies(proxiesInFile(paths.agentEnvironment, log), pick(environment));
      const means = units === "running" ? "units" : "alone";
      // Before the first pass nothing has made it, and whatever the umask is the asking unit must see into it.
      if (means === "units") ensureDirectory(dirname(paths.request), paths.root);
      const sources = { environment, flags: [], ownerUid: userId };
      const ports = passPorts({ paths, settings, endpoint, proxies, log, stopping, sources }, randomUUID(), means);
      return ports.askChannel(Promise.resolve(undefined));
    },
  };
}
