import { randomUUID } from "node:crypto";
import type { Served } from "../channel/answer.ts";
import { Fault } from "../fault/fault.ts";
import { readClock } from "../host/clock.ts";
import { pathsBelow, type Paths } from "../host/paths.ts";
import { conductPass, statusOf, type Conducted } from "../pass/conduct.ts";
import { layProxies, pick, proxiesInFile } from "../pass/proxies.ts";
import type { Asked } from "../plan/policy.ts";
import { parseVersion } from "../version/version.ts";
import { answerJson, faultJson, passLine } from "./answer.ts";
import type { CommandContext } from "./dry-run.ts";
import { isBooted } from "./observers.ts";
import { passPorts } from "./pass-ports.ts";
import { flagFragments } from "./open.ts";
import type { RunOptions } from "./program.ts";
import { runThroughUnit } from "./run-through-unit.ts";

/** One pass by hand. On a booted host it is the unit's own, followed; else, or below another root, this process does it all. */
export async function run(options: RunOptions, context: CommandContext): Promise<number> {
  const { surroundings } = context;
  const paths = pathsBelow(options.root);
  if (paths.root === "/" && surroundings.userId !== 0) throw needsRoot();
  const asked: Asked = { when: options.now ? "now" : "timer", absent: options.install ? "install" : "stop" };
  const pass =
    paths.root === "/" && isBooted()
      ? await throughUnit(options, context, { paths, asked })
      : await alone(options, context, { paths, asked });
  return answer(pass, options, surroundings.out);
}

type PassToRun = { readonly paths: Paths; readonly asked: Asked };

function throughUnit(options: RunOptions, context: CommandContext, pass: PassToRun): Promise<Conducted> {
  if (options.endpoint !== undefined || options.channel !== undefined) {
    throw new Fault("usage", {
      message: "the pass of the unit takes no settings from the command line",
      hint: "write them to a file below /etc/svc-upgrade, or look first: svc-upgrade dry-run --endpoint URL --channel NAME",
    });
  }
  return runThroughUnit(pass, context);
}

async function alone(
  options: RunOptions,
  { surroundings, log }: CommandContext,
  { paths, asked }: PassToRun,
): Promise<Conducted> {
  const { environment, userId, stopping } = surroundings;
  const passId = randomUUID();
  return conductPass({
    sources: { paths, environment, flags: flagFragments(options), ownerUid: paths.root === "/" ? 0 : userId, log },
    asked,
    passId,
    readClock,
    portsFor: ({ settings }, endpoint) => {
      const proxies = layProxies(proxiesInFile(paths.agentEnvironment, log), pick(environment));
      return passPorts({ paths, settings, endpoint, proxies, log, stopping }, passId, "alone");
    },
  });
}

function answer({ record, channel }: Conducted, { json }: RunOptions, out: (text: string) => void): number {
  const { decision, outcome } = record;
  const status = statusOf(outcome);
  if (outcome.kind === "stopped" || outcome.kind === "failed") {
    if (json) out(`${JSON.stringify(faultJson(outcome.fault))}\n`);
    return status;
  }
  if (decision.kind === "stop") throw new Error("a pass that was stopped has no other outcome");
  const installed = record.installed === undefined ? undefined : parseVersion(record.installed);
  const version = record.served === undefined ? undefined : parseVersion(record.served);
  const served: Served = version === undefined ? { kind: "none" } : { kind: "version", version };
  const answerable = { installed, served, channel, decision, outcome };
  out(json ? `${JSON.stringify(answerJson(answerable))}\n` : `${passLine(answerable)}\n`);
  return status;
}

export function needsRoot(): Fault {
  return new Fault("not-permitted", {
    message: "this changes the host and needs root",
    hint: "sudo svc-upgrade run, or only look: svc-upgrade dry-run",
  });
}
