import { exitStatus } from "../fault/explain.ts";
import type { Log } from "../host/log.ts";
import { pathsBelow, type Paths } from "../host/paths.ts";
import { observe } from "../pass/observe.ts";
import { endpointOf, prepare } from "../pass/prepare.ts";
import { layProxies, pick, proxiesInFile } from "../pass/proxies.ts";
import { compare, installedVersion, tellDecision } from "../pass/tell.ts";
import { decide } from "../plan/decide.ts";
import { policyOf } from "../plan/policy.ts";
import { emptyState, type State } from "../record/state.ts";
import { readState } from "../store/state-file.ts";
import { answerJson, faultJson } from "./answer.ts";
import { dryObservers } from "./observers.ts";
import { flagFragments } from "./open.ts";
import type { DryRunOptions } from "./program.ts";
import type { Surroundings } from "./surroundings.ts";

/** What a command works with, whatever it is. */
export type CommandContext = { readonly surroundings: Surroundings; readonly log: Log };

/** The status for --exit-code: no fault has it, and no shell gives it a meaning of its own. */
const statusAvailable = 100;

/** The same path as a pass, with nothing behind it that could act. */
export async function dryRun(options: DryRunOptions, { surroundings, log }: CommandContext): Promise<number> {
  const { environment, userId, out, stopping } = surroundings;
  const paths = pathsBelow(options.root);
  const ownerUid = paths.root === "/" ? 0 : userId;
  const prepared = await prepare({ paths, environment, flags: flagFragments(options), ownerUid, log });
  const { settings } = prepared;
  const endpoint = endpointOf(prepared, paths);
  const proxies = layProxies(proxiesInFile(paths.agentEnvironment, log), pick(environment));
  const observers = dryObservers({ paths, settings, endpoint, proxies, log, stopping });
  const { facts } = await observe(observers, { name: settings.agent.package, state: stateToRead(paths, log) });
  const decision = decide(facts, policyOf(settings, { when: "timer", absent: "stop" }));
  const told = tellDecision(facts, decision, { channel: settings.channel, mood: "would-do" });
  log(told.level, told.sentence, told.fields);
  if (decision.kind === "stop" || facts.answer.kind === "fault") {
    if (decision.kind !== "stop") throw new Error("without an answer there is nothing to decide");
    if (options.json) out(`${JSON.stringify(faultJson(decision.fault))}\n`);
    return exitStatus(decision.fault.code);
  }
  const installed = installedVersion(facts);
  const { served } = facts.answer;
  const { line, isAvailable } = compare(installed, served);
  out(options.json ? `${JSON.stringify(answerJson({ installed, served, channel: settings.channel, decision }))}\n` : `${line}\n`);
  return options.exitCode && isAvailable ? statusAvailable : 0;
}

/** A state that cannot be read only makes the answer poorer; a pass would move it aside. */
function stateToRead(paths: Paths, log: Log): State {
  const reading = readState(paths.state);
  switch (reading.kind) {
    case "state":
      return reading.state;
    case "denied":
      log("warning", "the state of earlier passes may not be read by this user and is left out", { path: paths.state });
      return emptyState;
    case "unreadable":
      log("warning", "the state of earlier passes is unreadable and is left out", { path: paths.state, why: reading.why });
      return emptyState;
  }
}
