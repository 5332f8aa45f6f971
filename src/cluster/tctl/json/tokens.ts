import type { TokenJson } from "../../api/generated/svc/v1/token_pb.ts";
import { always, answer, anything, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { count, truth } from "../../../rules/shape/shape.ts";

export const labels = anything<Readonly<Record<string, string>>>({ type: "object", additionalProperties: { type: "string" } });

const token = recordOf<TokenJson>("what lets somebody join")({
  name: always("the beginning of its digest: of no use for joining", line, ({ name }) => name ?? ""),
  type: always("what may join by it: node, proxy or auth", line, ({ type }) => type ?? ""),
  expires: always("until when it is good", line, ({ expires }) => expires ?? ""),
  uses: always("how many may join by it; 0: any number", count, ({ uses }) => uses ?? 0),
  used: always("how many have", count, ({ used }) => used ?? 0),
  labels: always("given to each that joins", labels, (found) => found.labels ?? {}),
  ephemeral: always(
    "whether each that joins is forgotten soon after it falls silent",
    truth,
    ({ ephemeral }) => ephemeral ?? false,
  ),
  created_by: always("who made it", line, ({ createdBy }) => createdBy ?? ""),
  created: always("when", line, ({ created }) => created ?? ""),
});

export const tokensAnswer = answer<readonly TokenJson[]>("Every token that is good.")({
  tokens: always("without the tokens themselves, which nobody keeps", list(token), (found: readonly TokenJson[]) => found),
});

export type MadeToken = {
  readonly made: TokenJson;
  /** Undefined if the token was written to the file. */
  readonly secret: string | undefined;
  readonly file: string | undefined;
  readonly join: string;
  readonly pins: readonly string[];
};

export const madeTokenAnswer = answer<MadeToken>("A token that was made, shown this once.")({
  token: always("without the token itself", token, "made"),
  secret: sometimes("the token itself; missing where it was written to a file", line, "secret"),
  file: sometimes("the file that it was written to", line, "file"),
  join: always("what to type on the host that is to join", line, "join"),
  ca_pins: always("what auth is known by", list(line), "pins"),
});

export const removedTokenAnswer = answer<string>("A token that was made void.")({
  name: always("as tctl tokens ls showed it", line, (name: string) => name),
});
