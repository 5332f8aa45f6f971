import { digestOf } from "../answers.ts";
import { configurationFor, type CommandContext, type Options } from "./context.ts";

/** What the header of every answer says, from the file alone: to compare instances before they are started. */
export async function digest(options: Options, { surroundings: { out } }: CommandContext): Promise<number> {
  const configuration = await configurationFor(options);
  const told = digestOf(configuration);
  out(options.json ? `${JSON.stringify({ schema: 1, config: options.config, digest: told })}\n` : `${told}\n`);
  return 0;
}
