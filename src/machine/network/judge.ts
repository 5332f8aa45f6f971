import { Fault } from "../../rules/fault/fault.ts";
import { describe } from "./describe-body.ts";
import { printUrl, printWay } from "./hop.ts";
import type { Response } from "./request.ts";
import { askByHand } from "./what-to-type.ts";

/** Accepts status 200. Any other status is a fault, whose words are loaded only then. */
export async function judgeStatus(response: Response): Promise<void> {
  if (response.status === 200) return;
  const { explainStatus } = await import("./explain-status.ts");
  throw explainStatus(response);
}

/** Returns the whole body. Throws if it was cut off or encoded. */
export function bodyOf(response: Response): Uint8Array {
  const { body } = response;
  switch (body.kind) {
    case "whole":
      return body.bytes;
    case "cut":
      throw notAVersion(response, describe(response));
    case "encoded":
      throw notAVersion(response, describe(response));
  }
}

export function notAVersion(response: Response, found: string): Fault {
  return new Fault("answer-invalid", {
    message: `${printUrl(response.url)}, asked ${printWay(response)}, answers ${found}`,
    hint: `check that \`endpoint\` names the version server and nothing in between asks for a sign-in: ${askByHand(response)}`,
  });
}
