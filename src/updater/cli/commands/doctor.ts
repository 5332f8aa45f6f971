import { encode } from "../../../rules/shape/write.ts";
import { examine } from "../../doctor/examine.ts";
import type { Check } from "../../doctor/check.ts";
import { meansFor, proveNetwork } from "../../doctor/network.ts";
import type { Scope } from "../../doctor/scope.ts";
import { exitStatus } from "../../../rules/fault/explain.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { againWhenKilled } from "../wiring/again-when-killed.ts";
import { build } from "../../../machine/program/program-build.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { agentPathsBelow, pathsBelow } from "../../../machine/files/paths.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import type { CommandContext } from "../context.ts";
import { doctorAnswer } from "../json/doctor.ts";
import { examinersFor } from "../wiring/examiners.ts";
import { managersFor, refuseTransaction } from "../wiring/observers.ts";
import type { SharedOptions } from "../options.ts";
import { checkLines, countOf, summaryLine } from "../screen/doctor.ts";
import { paintFor } from "../screen/paint.ts";
import { asTyped } from "../screen/status/with-root.ts";
import { sourcesOf } from "../wiring/sources.ts";
import { isBooted, isOwnRoot } from "../../../machine/processes/booted.ts";

/**
 * Checks each hop and prerequisite, and prints each result as soon as it is known. A bad result becomes the exit status; it is no fault of doctor's.
 */
export async function doctor(options: SharedOptions, context: CommandContext): Promise<number> {
  const { surroundings } = context;
  const paint = paintFor(surroundings.stdoutIs, surroundings);
  const checks: Check[] = [];
  for await (const found of examine(scopeOf(options, context))) {
    if (surroundings.stopping.aborted) throw stopped();
    const check = typedOn(options.root, found);
    checks.push(check);
    if (!options.json) surroundings.out(checkLines(check, paint));
  }
  surroundings.out(options.json ? `${JSON.stringify(encode(doctorAnswer, checks))}\n` : summaryLine(checks, paint));
  return countOf(checks, "failed") > 0 ? exitStatus("unhealthy-host") : 0;
}

/** Adds --root to a check's commands, which the examination does not know. */
function typedOn(root: string, { told, fix, ...check }: Check): Check {
  return { ...check, told: asTyped(told, root), ...(fix === undefined ? {} : { fix: asTyped(fix, root) }) };
}

function scopeOf(options: SharedOptions, context: CommandContext): Scope {
  const { surroundings, log } = context;
  const { environment, userId, stopping } = surroundings;
  const paths = pathsBelow(options.root);
  const { root } = paths;
  const run = againWhenKilled((command) => runCommand({ ...command, signal: stopping }));
  const effects = { run, transact: refuseTransaction, root, proxies: {} };
  return {
    sources: sourcesOf(paths, { ...context, log: () => undefined }, options),
    reach: isOwnRoot(paths) ? (isBooted() ? "machine" : "no-systemd") : "other-root",
    run,
    readClock,
    builtAt: build.builtAt,
    managers: managersFor(effects, paths),
    examiners: examinersFor(run, root),
    proveNetwork: async ({ channel, caFile, allowPlainHttp, agentFiles }, endpoint, installed) => {
      const question = { endpoint, channel, caFile, allowPlainHttp, installed: await installed };
      return proveNetwork(meansFor(paths, userId), {
        paths,
        agentPaths: agentPathsBelow(root, agentFiles),
        question,
        environment,
        log,
        stopping,
      });
    },
  };
}

function stopped(): Fault {
  return new Fault("stopping", {
    message: "doctor was asked to stop before its last check",
    hint: "ask again: `svc-upgrade doctor`",
  });
}
