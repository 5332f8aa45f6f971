import { encode } from "../../../rules/shape/write.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { randomUUID } from "node:crypto";
import { Fault } from "../../../rules/fault/fault.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import type { Paths } from "../../../machine/files/paths.ts";
import { conductPass, statusOf } from "../../pass/pass-under-locks.ts";
import { layProxies, proxiesToGoBy } from "../../sources/proxies.ts";
import type { Asked } from "../../plan/host-policy.ts";
import type { PassPorts } from "../../pass/pass.ts";
import type { PassRecord } from "../../record/state.ts";
import { proxyVariablesIn } from "../../../rules/route/route.ts";
import { changeable } from "../changeable.ts";
import type { CommandContext } from "../context.ts";
import { paintFor } from "../screen/paint.ts";
import { openStepScreen } from "../screen/steps.ts";
import { portsAlone } from "../wiring/ports-alone.ts";
import { openLog } from "../open.ts";
import type { SharedOptions } from "../options.ts";
import { runThroughUnit } from "../wiring/run-through-unit.ts";
import { sourcesOf } from "../wiring/sources.ts";
import { isBooted, isOwnRoot } from "../../../machine/processes/booted.ts";
import type { Served } from "../../../rules/channel/answer.ts";
import { faultOfOutcome } from "../../record/outcome-fault.ts";
import { parseVersion } from "../../../rules/version/version.ts";
import { answerJson, passLine } from "../json/answer.ts";
import { faultAnswer } from "../json/fault.ts";

export function run(options: SharedOptions, given: Given, context: CommandContext): Promise<number> {
  return passByHand(options, context, {
    when: given.isSet("now") ? "now" : "timer",
    absent: given.isSet("install") ? "install" : "stop",
    by: "hand",
  });
}

/** Moves to the version before the last move at once. */
export function rollback(options: SharedOptions, context: CommandContext): Promise<number> {
  return passByHand(options, context, { when: "back", absent: "stop", by: "hand" });
}

/** Runs one pass. On a booted host the unit runs it, and this process follows it. Without systemd, or below another root, this process runs it. */
async function passByHand(options: SharedOptions, context: CommandContext, asked: Asked): Promise<number> {
  const { surroundings } = context;
  const paths = changeable(asked.when === "back" ? "rollback" : "run", options, context);
  const pass =
    isOwnRoot(paths) && isBooted()
      ? await throughUnit(options, context, { paths, asked })
      : await alone(options, context, { paths, asked });
  const { stdout, status } = answerPass(pass, options.json ? "json" : "line");
  surroundings.out(stdout);
  return status;
}

type PassToRun = { readonly paths: Paths; readonly asked: Asked };

function throughUnit(options: SharedOptions, context: CommandContext, pass: PassToRun): Promise<PassRecord> {
  if (options.endpoint !== undefined || options.channel !== undefined) {
    throw new Fault("usage", {
      message: "the pass of the unit takes no settings from the command line",
      hint: "write them to a file below /etc/svc-upgrade, or look first: `svc-upgrade dry-run --endpoint URL --channel NAME`",
    });
  }
  // Does not repeat log lines with --json.
  const answer = (record: PassRecord): string | undefined =>
    options.json ? undefined : answerPass(record, "line").stdout.trimEnd() || undefined;
  return runThroughUnit({ ...pass, answer }, context);
}

async function alone(options: SharedOptions, context: CommandContext, { paths, asked }: PassToRun): Promise<PassRecord> {
  const { environment, stopping } = context.surroundings;
  const { log, showSteps } = await onScreen(options, context);
  const passId = randomUUID();
  const sources = sourcesOf(paths, { ...context, log }, options);
  return conductPass({
    sources,
    asked,
    passId,
    readClock,
    hasUnits: false,
    portsFor: ({ settings, agentPaths, rows }, endpoint) => {
      const proxies = layProxies(proxiesToGoBy({ paths, agentPaths }, paths.passProxies, log), proxyVariablesIn(environment));
      const ports = portsAlone({ paths, agentPaths, settings, rows, endpoint, proxies, log, stopping, sources }, passId, asked);
      return { ...ports, showSteps };
    },
  });
}

/** On a terminal, the pass's steps are shown between its log lines. */
async function onScreen(
  options: SharedOptions,
  { surroundings, log }: CommandContext,
): Promise<Pick<PassPorts, "log" | "showSteps">> {
  const { stderrIs, error } = surroundings;
  if (stderrIs !== "terminal" || options.logFormat === "json") return { log, showSteps: () => undefined };
  const screen = openStepScreen(error, paintFor(stderrIs, surroundings));
  return {
    log: await openLog(options, { ...surroundings, error: (line) => screen.say(line.trimEnd()) }),
    showSteps: screen.show,
  };
}

/** What a pass prints on stdout, and its exit status. Only a pass that leaves the host in order prints a line. */
export function answerPass(record: PassRecord, format: "line" | "json"): { readonly stdout: string; readonly status: number } {
  const { decision, outcome, recovered, pin, channel = "" } = record;
  const status = statusOf(record);
  if (outcome.kind === "stopped" || outcome.kind === "failed") {
    const fault = faultOfOutcome(outcome);
    return { status, stdout: format === "json" && fault !== undefined ? `${JSON.stringify(encode(faultAnswer, fault))}\n` : "" };
  }
  if (decision.kind === "stop") throw new Error("a pass that was stopped has no other outcome");
  const installed = record.installed === undefined ? undefined : parseVersion(record.installed);
  const answerable = { installed, served: servedIn(record), channel, pin, decision, outcome, recovered };
  return { status, stdout: format === "json" ? `${JSON.stringify(answerJson(answerable))}\n` : `${passLine(answerable)}\n` };
}

function servedIn({ served }: PassRecord): Served | undefined {
  const version = served === undefined ? undefined : parseVersion(served);
  if (version !== undefined) return { kind: "version", version };
  return served === undefined ? undefined : { kind: "none" };
}
