import { parseCritical, parseServed, type Served } from "../../rules/channel/answer.ts";
import type { CriticalDoubt } from "../../rules/channel/doubt.ts";
import { isSameServed } from "../../rules/channel/headers.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { describe } from "./describe-body.ts";
import { printUrl, printWay } from "./hop.ts";
import type { Response } from "./request.ts";
import { askByHand } from "./what-to-type.ts";

/** "again" asks past every cache, which would only repeat its answer. */
export type Ask = (about: "version" | "critical", time?: "again") => Promise<Response>;

/** The answer whose version may be critical. */
export type NamedAnswer = Pick<Response, "channels"> & { readonly served: Served };

/** "named": critical, for the served version. A yes that does not count by itself has a doubt. */
export type Urgency =
  | { readonly kind: "no" }
  | { readonly kind: "named" }
  | { readonly kind: "doubted"; readonly doubt: CriticalDoubt };

/** Reads the answer to `…/version`. */
export async function servedIn(response: Response): Promise<Served> {
  await judgeStatus(response);
  const served = parseServed(bodyOf(response));
  if (served.kind === "refused") throw notAVersion(response, served.found);
  return served;
}

/** Asks whether the version is critical. A balancer chooses an instance for each request, so an answer counts for the version only if it names it. */
export async function askCritical(named: NamedAnswer, ask: Ask): Promise<Urgency> {
  let said = await askOnce(ask);
  // The next question may reach the instance that named the version.
  if (isOfAnother(said, named)) said = await askOnce(ask, "again");
  if (!said.isCritical) return { kind: "no" };
  if (said.names === undefined) return askUnnamed(said, named, ask);
  return isOfAnother(said, named) ? doubted({ kind: "another", named: said.names }) : { kind: "named" };
}

/** If no answer names its version, asks for both again; two passes have to agree. */
async function askUnnamed(said: Said, named: NamedAnswer, ask: Ask): Promise<Urgency> {
  const again = await askOnce(ask, "again");
  const response = await ask("version", "again");
  const isSame =
    again.isCritical &&
    !isOfAnother(again, named) &&
    isSameServed(await servedIn(response), named.served) &&
    [said, again, response].every(({ channels }) => channels === named.channels);
  return doubted({ kind: isSame ? "unnamed" : "disagreeing" });
}

type Said = Pick<Response, "names" | "channels"> & { readonly isCritical: boolean };

async function askOnce(ask: Ask, time?: "again"): Promise<Said> {
  const response = await ask("critical", time);
  const { names, channels } = response;
  if (response.status === 404) return { isCritical: false, names, channels };
  await judgeStatus(response);
  const critical = parseCritical(bodyOf(response));
  if (critical.kind === "refused") throw notAVersion(response, critical.found);
  return { isCritical: critical.kind === "critical", names, channels };
}

function isOfAnother({ names }: Said, { served }: NamedAnswer): boolean {
  return names !== undefined && !isSameServed(names, served);
}

function doubted(doubt: CriticalDoubt): Urgency {
  return { kind: "doubted", doubt };
}

/** Accepts status 200. Any other status is a fault, whose words are loaded only then. */
async function judgeStatus(response: Response): Promise<void> {
  if (response.status === 200) return;
  const { explainStatus } = await import("./explain-status.ts");
  throw explainStatus(response);
}

/** Returns the whole body. Throws if it was cut off or encoded. */
function bodyOf(response: Response): Uint8Array {
  if (response.body.kind === "whole") return response.body.bytes;
  throw notAVersion(response, describe(response));
}

function notAVersion(response: Response, found: string): Fault {
  return new Fault("answer-invalid", {
    message: `${printUrl(response.url)}, asked ${printWay(response)}, answers ${found}`,
    hint: `check that \`endpoint\` names the version server and nothing in between asks for a sign-in: ${askByHand(response)}`,
  });
}
