import { asFault, exitStatus, faultData } from "../../rules/fault/explain.ts";
import { spoken } from "../../machine/command-line/flag-value.ts";
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
import { faultAnswer } from "./fault-json.ts";
import type { ServerSurroundings } from "./surroundings.ts";

/** The whole program: arguments in, answer and log out, exit status back. Whatever was thrown ends here. */
export async function main(surroundings: ServerSurroundings): Promise<number> {
  const { argv, out } = surroundings;
  try {
    return await runProgram(argv, commandsFor(surroundings), out);
  } catch (thrown) {
    const fault = asFault(thrown, "svc-proxy");
    const { code, message, hint, causes } = faultData(fault);
    // The options were not understood, or are gone with the command: what they say of the log still holds.
    const log = await openLog({ logFormat: spoken(argv, "--log-format"), logLevel: spoken(argv, "--log-level") }, surroundings);
    const [first = "", ...details] = message.split("\n");
    const cause = causes[0] === undefined || message.includes(causes[0]) ? undefined : causes[0];
    log("error", `${first.replace(/:$/, "")}; ${hint}`, { fault: code, cause });
    for (const detail of details) log("error", detail, {});
    if (argv.includes("--json")) out(`${JSON.stringify(faultAnswer.write({ code, message, hint }))}\n`);
    if (code === "bug" && thrown instanceof Error) log("debug", "where it came from", { stack: thrown.stack });
    return exitStatus(code);
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
