import { openLog } from "./open.ts";
import type { CommandContext } from "./context.ts";
import type { SharedOptions } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";

/** The options of a command without any. */
const unsaid: SharedOptions = {
  root: "/",
  endpoint: undefined,
  channel: undefined,
  json: false,
  logFormat: undefined,
  logLevel: undefined,
};

type Quiet = (context: CommandContext) => Promise<number>;

/** Commands that every host runs every ten minutes. They do not load the parser of the command line. */
const quietCommands: ReadonlyMap<string, Quiet> = new Map<string, Quiet>([
  ["pass", async (context) => (await import("./commands/pass.ts")).pass(context)],
  ["ask", async (context) => (await import("./commands/ask.ts")).ask(context)],
  [
    "dry-run",
    async (context) => {
      const { dryRun } = await import("./commands/dry-run.ts");
      return dryRun({ ...unsaid, exitCode: false, at: undefined }, context);
    },
  ],
]);

/** Undefined for any other command line. */
export function quietCommand(surroundings: Surroundings): (() => Promise<number>) | undefined {
  const [name = "", ...others] = surroundings.argv;
  const command = others.length === 0 ? quietCommands.get(name) : undefined;
  return command && (async () => command({ surroundings, log: await openLog(unsaid, surroundings) }));
}
