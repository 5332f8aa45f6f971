import type { CommandResult, RunCommand } from "../host/command.ts";
import { barredFault, reach } from "../host/reach.ts";
import { quote } from "../fault/quote.ts";
import type { Binary } from "../plan/facts.ts";
import { spokenVersion } from "../version/spoken.ts";

/** A program that prints its version and needs longer is broken. */
const longestMs = 15_000;

const environment = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8", HOME: "/" };

/** Asks the agent's binary for its version; without a command there is nothing to ask. */
export async function askBinary(run: RunCommand, command: readonly string[]): Promise<Binary> {
  const [program, ...rest] = command;
  if (program === undefined) return { kind: "not-asked" };
  refuseBarred(program);
  return judge(await run({ argv: [program, ...rest], env: environment, timeoutMs: longestMs }));
}

/** Whoever executes a file waits for it as whoever reads it does, and no deadline counts meanwhile. */
function refuseBarred(program: string): void {
  const places = program.includes("/") ? [program] : environment.PATH.split(":").map((directory) => `${directory}/${program}`);
  for (const path of places) {
    const reached = reach(path, "follow", () => ({ kind: "reached" }) as const);
    if (reached.kind === "barred") throw barredFault(path, reached);
    if (reached.kind === "reached") return;
  }
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
