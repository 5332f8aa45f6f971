import { describeBody } from "../channel/body.ts";
import { Fault } from "../fault/fault.ts";
import { quote } from "../fault/quote.ts";
import { explainProxyCredentials } from "./explain-proxy.ts";
import { printUrl, printWay } from "./hop.ts";
import type { Response } from "./request.ts";
import { askByHand } from "./what-to-type.ts";

/** Lets 200 pass; everything else that a version server may say is a fault. */
export function judgeStatus(response: Response): void {
  const { status, route } = response;
  if (status === 200) return;
  const message = `${printUrl(response.url)}, asked ${printWay(response)}, answers with status ${status}`;
  const look = `${askByHand(response)} shows the whole answer`;
  if (status === 404) throw new Fault("channel-unknown", { message, hint: `check \`channel\` and \`endpoint\`; ${look}` });
  if (status === 407 && route.kind === "proxy") throw explainProxyCredentials(response);
  if (status === 401 || status === 403) {
    throw new Fault("channel-refused", { message, hint: `let the version server answer this host without signing in; ${look}` });
  }
  if (status === 429 || status >= 500) {
    throw new Fault("channel-failing", {
      message,
      hint: `it is asked again by itself; if it stays so, look at the version server's log; ${look}`,
    });
  }
  throw new Fault("answer-invalid", { message: `${message} and ${describe(response)}, which is not a version`, hint: look });
}

/** A body that is wholly there, as it was written. */
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

function describe({ body }: Response): string {
  switch (body.kind) {
    case "whole":
      return describeBody(body.bytes);
    case "cut":
      // What a character at the cut was is not known, and changes nothing.
      return `more than ${body.bytes.length} bytes`;
    case "encoded":
      return `a body encoded as ${quote(body.encoding)}, although none was asked for`;
  }
}
