import { readFileSync } from "node:fs";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { CommandResult, RunCommand } from "../../machine/processes/command.ts";

type NotStarted = Extract<CommandResult, { kind: "not-started" }>;

/**
 * Runs foreign programs without the capabilities that systemd gave this process, or they would get them too. Root keeps its rights; a user without
 * extra rights loses nothing.
 */
export function runWithoutRights(run: RunCommand): RunCommand {
  return async (command) => {
    if (process.geteuid?.() === 0 || !hasAmbientRights(readFileSync("/proc/self/status", "utf8"))) return run(command);
    const result = await run({ ...command, argv: [...withoutRights, ...command.argv] });
    return unwrapped(result, command.argv[0]);
  };
}

const withoutRights = ["setpriv", "--ambient-caps=-all", "--inh-caps=-all", "--"] as const;

function hasAmbientRights(status: string): boolean {
  return /^CapAmb:\t0*[1-9a-f]/m.test(status);
}

/** The program's own result. Never blames a failure of setpriv on the program. */
function unwrapped(result: CommandResult, program: string): CommandResult {
  if (result.kind === "not-started") throw keepsRights(result.message);
  if (result.kind !== "exited" || result.status === 0) return result;
  const [, ownWords] = /^setpriv: (.*)$/m.exec(result.stderr) ?? [];
  if (ownWords === undefined) return result;
  const [, why] = /^failed to execute .*: (.*)$/.exec(ownWords) ?? [];
  if (why === undefined) throw keepsRights(ownWords);
  return {
    kind: "not-started",
    reason: reasons[why] ?? "other",
    message: `${program} could not be started: ${why.toLowerCase()}`,
  };
}

/** The C library's error messages. */
const reasons: Readonly<Record<string, NotStarted["reason"]>> = {
  "Permission denied": "not-executable",
  "No such file or directory": "missing",
};

function keepsRights(why: string): Fault {
  return new Fault("host-unsupported", {
    message: `setpriv cannot take the rights of this unit from the agent's binary, so that is not run: ${quote(why)}`,
    hint: "see whether util-linux is installed, and whether a drop-in of the unit forbids it: `setpriv --version`; `systemctl cat svc-upgrade.service`",
  });
}
