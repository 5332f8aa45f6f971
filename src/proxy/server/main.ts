import { asFault, faultData } from "../../rules/fault/explain.ts";
import { faultAnswer } from "../../rules/fault/fault-answer.ts";
import { faultsOf } from "../../rules/fault/program-faults.ts";
import { tellFault } from "../../rules/fault/tell-fault.ts";
import { endInLog } from "../../machine/command-line/end-in-log.ts";
import { openLog } from "../../machine/logging/open-log.ts";
import { check, checkInUnit } from "./cli/check.ts";
import type { ServerContext, Options } from "./cli/context.ts";
import { digest } from "./cli/digest.ts";
import { exportAnswers } from "./cli/export.ts";
import { keepProxies } from "./cli/keep-proxies.ts";
import { runProgram, type ServerCommands } from "./cli/program.ts";
import { reload } from "./cli/reload.ts";
import { serve } from "./cli/serve.ts";
import { version } from "./cli/version.ts";
import type { ServerSurroundings } from "./surroundings.ts";

/** The whole program: arguments in, answer and log out, exit status back. Whatever was thrown ends here. */
export async function main(surroundings: ServerSurroundings): Promise<number> {
  const { argv, out } = surroundings;
  try {
    return await runProgram(argv, commandsFor(surroundings), out);
  } catch (thrown) {
    const fault = tellFault(thrown, "svc-proxy");
    if (argv.includes("--json")) out(`${JSON.stringify(faultAnswer(faultsOf["svc-proxy"]).write(fault))}\n`);
    const [cause] = faultData(asFault(thrown)).causes;
    const isNews = cause !== undefined && !fault.message.includes(cause);
    return endInLog({ thrown, fault, cause: isNews ? cause : undefined }, surroundings);
  }
}

function commandsFor(surroundings: ServerSurroundings): ServerCommands {
  const context = async (options: Options): Promise<ServerContext> => ({
    surroundings,
    log: await openLog(options, surroundings),
  });
  return {
    serve: async (options) => serve(options, await context(options)),
    check: async (options) => check(options, await context(options)),
    digest: async (options) => digest(options, await context(options)),
    exportAnswers: async (options) => exportAnswers(options, await context(options)),
    keepProxies: async (options) => keepProxies(options, await context(options)),
    checkInUnit: async (options) => checkInUnit(options, await context(options)),
    reload,
    version: (options) => version(options, { surroundings }),
  };
}
