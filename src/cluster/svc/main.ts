import { tellFault } from "../../rules/fault/tell-fault.ts";
import { faultLines } from "../../rules/fault/fault-lines.ts";
import { hintFor } from "../../machine/command-line/hint-for.ts";
import { openLog } from "../../machine/logging/open-log.ts";
import { spoken } from "../../machine/command-line/flag-value.ts";
import { faultAnswer } from "./faults.ts";
import type { ServerSurroundings } from "../../proxy/server/surroundings.ts";
import { check, checkHere } from "./cli/check.ts";
import type { Options, SvcContext } from "./cli/context.ts";
import { reload } from "./cli/reload.ts";
import { start } from "./cli/start.ts";
import { version } from "./cli/version.ts";
import { logFault } from "./log-fault.ts";
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
    if (argv.includes("--json")) out(`${JSON.stringify(faultAnswer.write(fault))}\n`);
    if (!argv.some((word) => logging.includes(word))) {
      surroundings.error(faultLines(fault));
      return fault.exit;
    }
    // The options were not understood, or are gone with the command: what they say of the log still holds.
    const log = await openLog({ logFormat: spoken(argv, "--log-format"), logLevel: spoken(argv, "--log-level") }, surroundings);
    logFault(log, fault);
    if (fault.code === "bug" && thrown instanceof Error) log("debug", "where it came from", { stack: thrown.stack });
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
