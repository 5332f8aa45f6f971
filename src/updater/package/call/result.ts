import { Fault } from "../../../rules/fault/fault.ts";
import type { CommandResult } from "../../../machine/processes/command.ts";
import { interruptedHint } from "../failure/interrupted.ts";

/** The result of a call that ran to its end. `output` joins stdout and stderr. */
export type Ended = { readonly status: number; readonly stdout: string; readonly output: string };

/** Throws unless the call ran to its end. */
export function ended(result: CommandResult, program: string): Ended {
  switch (result.kind) {
    case "exited":
      return { status: result.status, stdout: result.stdout, output: `${result.stdout}\n${result.stderr}` };
    case "killed":
      throw new Fault("interrupted", { message: `${program} ${tellKilled(result)}`, hint: interruptedHint });
    case "timed-out":
      throw new Fault("manager-busy", {
        message: `${program} has not come to an end after ${Math.round(result.afterMs / 1000)} seconds`,
        hint: `look at what it waits for with \`ps -ef | grep ${program}\``,
      });
    case "not-started":
      throw notStarted(result, program);
  }
}

function tellKilled({ signal, how }: Extract<CommandResult, { kind: "killed" }>): string {
  if (how === "without a trace") return "was ended by force, with all that belonged to it";
  return how === undefined ? `was ended by ${signal}` : `was ended by ${signal}: the host had run out of memory`;
}

function notStarted(result: Extract<CommandResult, { kind: "not-started" }>, program: string): Fault {
  if (result.reason === "missing") {
    return new Fault("host-unsupported", {
      message: `${program} is not installed`,
      hint: "set `manager:` to the package manager that installs the agent on this host",
    });
  }
  return new Fault("os-failed", {
    message: `${program} could not be started: ${result.message}`,
    hint: `start it by hand: \`${program} --version\``,
  });
}
