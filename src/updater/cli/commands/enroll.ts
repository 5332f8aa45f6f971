import { encode } from "../../../rules/shape/write.ts";
import { enrollHost } from "../../enroll/enroll.ts";
import { unenrollHost } from "../../enroll/unenroll.ts";
import { asFault, faultData } from "../../../rules/fault/explain.ts";
import { pathsBelow, type Paths } from "../../../machine/files/paths.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { endpointOf, prepare } from "../../sources/settings.ts";
import { tellFault } from "../../sentences/decision.ts";
import { decidingUnit } from "../../unit/own-units.ts";
import { unitControl } from "../../unit/systemctl.ts";
import type { CommandContext } from "../context.ts";
import { dryAnswer, faultAnswer, type DryAnswer } from "./dry-run.ts";
import { enrollAnswer } from "../json/enroll.ts";
import { asTyped } from "../screen/status/with-root.ts";
import { changeableByOwner, enrollScope, withUnitsEnvironment } from "../wiring/enroll-scope.ts";
import { dryObservers } from "../wiring/observers.ts";
import type { EnrollOptions, SharedOptions } from "../options.ts";
import { installAgent } from "../../plan/host-lifts.ts";
import { sourcesOf } from "../wiring/sources.ts";
import { isBooted, isOwnRoot } from "../../../machine/processes/booted.ts";

/** Puts this host on a cluster's channel, then shows a dry run. */
export async function enroll(options: EnrollOptions, context: CommandContext): Promise<number> {
  const { surroundings } = context;
  const paths = changeableByOwner("enroll", options, context);
  const unitsContext = withUnitsEnvironment(context);
  const done = await enrollHost(options, enrollScope(paths, unitsContext));
  if (!options.json) for (const { told } of done) surroundings.out(`${told}\n`);
  const { status, line, json, hint } = await (options.json ? lookOrFault : look)(options, unitsContext);
  if (options.json) surroundings.out(`${JSON.stringify(encode(enrollAnswer, { done, answer: await json?.(), hint }))}\n`);
  else if (line !== undefined) surroundings.out(`${line}\n`);
  return status;
}

/** Undoes the enrolment. The records of past passes stay. */
export async function unenroll(options: SharedOptions, context: CommandContext): Promise<number> {
  const { out } = context.surroundings;
  const paths = changeableByOwner("unenroll", options, context);
  const done = await unenrollHost(enrollScope(paths, context));
  if (options.json) {
    out(`${JSON.stringify(encode(enrollAnswer, { done }))}\n`);
    return 0;
  }
  for (const { told } of done) out(`${told}\n`);
  if (done.length === 0) out("this host is not enrolled: there is nothing to take back\n");
  else await tellWhatStays(paths, context);
  return 0;
}

type Looked = Omit<DryAnswer, "json"> & { readonly json?: DryAnswer["json"]; readonly hint?: string };

async function look(options: EnrollOptions, context: CommandContext): Promise<Looked> {
  const absent = await absentAgent(options, context);
  if (absent === undefined) {
    const asStanding = { ...options, endpoint: undefined, channel: undefined, exitCode: false, at: undefined };
    return dryAnswer(asStanding, context, "as it lies");
  }
  const hint = asTyped(installAgent, options.root);
  return { status: 0, line: `${absent} is not installed yet; to install it: ${hint}`, hint };
}

/** Returns a fault as a value, so that the steps before it are printed too. */
async function lookOrFault(options: EnrollOptions, context: CommandContext): Promise<Looked> {
  try {
    return await look(options, context);
  } catch (thrown) {
    const fault = faultData(asFault(thrown));
    const { level, sentence, fields } = tellFault(fault);
    context.log(level, sentence, fields);
    return faultAnswer(fault);
  }
}

/** The name of the agent's package, if it is not installed. */
async function absentAgent(options: EnrollOptions, context: CommandContext): Promise<string | undefined> {
  const { surroundings, log } = context;
  const { stopping } = surroundings;
  const paths = pathsBelow(options.root);
  const prepared = await prepare(sourcesOf(paths, context));
  const { settings, agentPaths } = prepared;
  const scope = { paths, agentPaths, settings, endpoint: endpointOf(prepared), proxies: {}, log, stopping };
  const { installed } = await dryObservers(scope).findManager();
  return installed.kind === "absent" ? settings.agent.package : undefined;
}

async function tellWhatStays(paths: Paths, { surroundings: { out }, log }: CommandContext): Promise<void> {
  out(`kept ${paths.stateDirectory}: what the passes did here stays on record until the package is purged\n`);
  if (!isOwnRoot(paths) || !isBooted()) return;
  if ((await unitControl(runCommand).show(decidingUnit)).active !== "activating") return;
  log("info", "a pass is running and goes on to its end; follow it: journalctl -fu svc-upgrade");
}
