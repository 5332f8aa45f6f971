import { Fault } from "../fault/fault.ts";
import type { CommandResult } from "../host/command.ts";

/** A call that ran to its end: what it printed, both streams in one text. */
export type Ended = { readonly status: number; readonly stdout: string; readonly output: string };

/** A call that did not even come to its end is a fault, whatever it was for. */
export function ended(result: CommandResult, program: string): Ended {
  switch (result.kind) {
    case "exited":
      return { status: result.status, stdout: result.stdout, output: `${result.stdout}\n${result.stderr}` };
    case "killed":
      throw new Fault("interrupted", {
        message: `${program} was ended by ${result.signal}`,
        hint: "look into the system's journal for who ended it; the next pass tries again",
      });
    case "timed-out":
      throw new Fault("manager-busy", {
        message: `${program} has not come to an end after ${Math.round(result.afterMs / 1000)} seconds`,
        hint: `look at what it waits for with \`ps -ef | grep ${program}\``,
      });
    case "not-started":
      throw notStarted(result, program);
  }
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
