import { accessSync, constants, statSync, readFileSync } from "node:fs";
import { quote } from "../../rules/text/quote.ts";
import type { CommandResult, RunCommand } from "../../machine/processes/command.ts";
import { errnoOf } from "../../machine/files/errno.ts";
import { barredFault, reach } from "../../machine/files/foreign-file.ts";
import type { Binary } from "../plan/host-facts.ts";
import { spokenVersion } from "../../rules/version/spoken.ts";
import { Fault } from "../../rules/fault/fault.ts";

/** A program that needs longer to print its version is broken. */
const longestMs = 15_000;

const environment = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8", HOME: "/" };

/** Asks the agent's binary for its version. */
export async function askBinary(run: RunCommand, command: readonly string[]): Promise<Binary> {
  const [program, ...rest] = command;
  if (program === undefined) return { kind: "not-asked" };
  const place = findProgram(program);
  if (place !== undefined && isClosed(place)) return notForUs(place);
  const result = await runWithoutRights(run)({ argv: [program, ...rest], env: environment, timeoutMs: longestMs });
  const isRefused = result.kind === "not-started" && result.reason === "not-executable";
  return place !== undefined && isRefused && isForOthers(place) ? notForUs(place) : judge(result);
}

/** Finds the program. Detects a dead mount first: executing a file there blocks as reading does, and no deadline counts meanwhile. */
function findProgram(program: string): string | undefined {
  const places = program.includes("/") ? [program] : environment.PATH.split(":").map((directory) => `${directory}/${program}`);
  let denied: string | undefined;
  for (const path of places) {
    const reached = reach(path, "follow", () => ({ kind: "reached" }) as const);
    if (reached.kind === "barred") throw barredFault(path, reached);
    if (reached.kind === "reached") return path;
    if (reached.kind === "denied") denied ??= path;
  }
  return denied;
}

/** Checks without this process's extra rights, because the program will not have them. */
function isClosed(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return false;
  } catch (thrown) {
    return errnoOf(thrown) === "EACCES" && isForOthers(path);
  }
}

/** Whether anybody may execute the file. If nobody may, it is damaged, and root cannot run it either. */
function isForOthers(path: string): boolean {
  if (process.geteuid?.() === 0) return false;
  const mode = reach(path, "follow", (place) => statSync(place).mode);
  return typeof mode !== "number" || (mode & 0o111) !== 0;
}

function notForUs(path: string): Binary {
  return { kind: "not-asked", why: `no permission to execute ${path}` };
}

function judge(result: CommandResult): Binary {
  switch (result.kind) {
    case "not-started":
      return result.reason === "missing" ? { kind: "missing" } : { kind: "broken", why: result.message };
    case "timed-out":
      return { kind: "broken", why: `it prints no version within ${result.afterMs / 1000} s` };
    case "killed":
      return { kind: "broken", why: `it dies of ${result.signal}` };
    case "exited": {
      if (result.status !== 0)
        return { kind: "broken", why: `it ends with ${result.status}: ${quote(result.stderr || result.stdout)}` };
      const version = spokenVersion(result.stdout);
      return version === undefined
        ? { kind: "broken", why: `it prints no version: "${quote(result.stdout)}"` }
        : { kind: "answers", version };
    }
  }
}

type NotStarted = Extract<CommandResult, { kind: "not-started" }>;

/**
 * Runs foreign programs without the capabilities that systemd gave this process, or they would get them too. Root keeps its rights; a user without
 * extra rights loses nothing.
 */
function runWithoutRights(run: RunCommand): RunCommand {
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
