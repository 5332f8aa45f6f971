import { openLog } from "./open.ts";
import type { CommandContext } from "./context.ts";
import type { SharedOptions } from "./options.ts";
import type { Surroundings } from "./surroundings.ts";

/** As where nothing but the command was said. */
const unsaid: SharedOptions = {
  root: "/",
  endpoint: undefined,
  channel: undefined,
  json: false,
  logFormat: undefined,
  logLevel: undefined,
};

type Quiet = (context: CommandContext) => Promise<number>;

/** What every host runs every ten minutes, word for word: the command line is not parsed for it, and what parses it not loaded. */
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

/** Undefined where anything else was said. */
export function quietCommand(surroundings: Surroundings): (() => Promise<number>) | undefined {
  const [name = "", ...others] = surroundings.argv;
  const command = others.length === 0 ? quietCommands.get(name) : undefined;
  return command && (async () => command({ surroundings, log: await openLog(unsaid, surroundings) }));
}
