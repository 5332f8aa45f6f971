import { encode } from "../../../rules/shape/write.ts";
import { always, answer, line } from "../../../rules/shape/answer.ts";
import { digestOf } from "../prepared-answers.ts";
import { configurationFor } from "./context.ts";
import type { ServerContext, Options } from "./called.ts";

type Found = { readonly config: string; readonly digest: string };
export const digestAnswer = answer<Found>("What all instances must have in common, to find the one that differs.")({
  config: always("the file that was read", line, "config"),
  digest: always(
    "of the channels as they are configured; a header of their answers tells the same",
    line,
    (found) => found.digest,
  ),
});

/** Prints the digest that every answer's header will have. Needs only the file, so that people can compare instances before they start. */
export async function digest(options: Options, { surroundings: { out } }: ServerContext): Promise<number> {
  const configuration = await configurationFor(options);
  const told = digestOf(configuration);
  out(options.json ? `${JSON.stringify(encode(digestAnswer, { config: options.config, digest: told }))}\n` : `${told}\n`);
  return 0;
}
