import { tellFault } from "../../rules/fault/tell-fault.ts";
import { faultAnswerWithWrong } from "../../rules/fault/fault-answer.ts";
import { faultLines } from "../../rules/fault/fault-lines.ts";
import { faultsOf } from "../../rules/fault/program-faults.ts";
import { endInLog } from "../../machine/command-line/end-in-log.ts";
import { hintFor } from "../../machine/command-line/hint-for.ts";
import { openLog } from "../../machine/logging/open-log.ts";
import { spoken } from "../../machine/command-line/flag-value.ts";
import type { ServerSurroundings } from "../../proxy/server/surroundings.ts";
import { check, checkHere } from "./cli/check.ts";
import type { Options, SvcContext } from "./cli/context.ts";
import { reload } from "./cli/reload.ts";
import { start } from "./cli/start.ts";
import { version } from "./cli/version.ts";
import { runTree, type SvcCommands } from "./tree.ts";

/** Commands that the unit calls, whose stderr is the journal; what the others say is for who typed them. */
const logging: readonly string[] = ["start", "reload"];

/** The whole program: arguments in, answer and log out, exit status back. Whatever was thrown ends here. */
export async function main(surroundings: ServerSurroundings): Promise<number> {
  const { argv, out } = surroundings;
  try {
    return await runTree(argv, commandsFor(surroundings), out);
  } catch (thrown) {
    const told = tellFault(thrown, "svc");
    const fault = {
      ...told,
      hint: hintFor(told.hint, { program: "svc", config: spoken(argv, "--config") ?? spoken(argv, "-c") }),
    };
    if (argv.includes("--json")) out(`${JSON.stringify(faultAnswerWithWrong(faultsOf.svc).write(fault))}\n`);
    if (argv.some((word) => logging.includes(word))) return endInLog({ thrown, fault }, surroundings);
    surroundings.error(faultLines(fault));
    return fault.exit;
  }
}

function commandsFor(surroundings: ServerSurroundings): SvcCommands {
  const context = async (options: Options): Promise<SvcContext> => ({
    surroundings,
    log: await openLog(options, surroundings),
  });
  return {
    start: async (options) => start(options, await context(options)),
    check: async (options) => check(options, await context(options)),
    checkInUnit: async (options) => checkHere(options, { ...(await context(options)), notLookedAt: undefined }),
    reload: async (options) => reload(options, await context(options)),
    join: async (options) => (await import("./cli/join.ts")).join(options, await context(options)),
    version: (options) => version(options, surroundings),
  };
}
