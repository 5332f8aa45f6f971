import { reasonIn } from "../../rules/channel/reason.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { mask } from "../logging/mask-secrets.ts";
import { explainProxyCredentials } from "./explain-proxy.ts";
import { printUrl, printWay } from "./hop.ts";
import { describe } from "./describe-body.ts";
import type { Route } from "../../rules/route/route.ts";
import type { Response } from "./request.ts";
import { askByHand } from "./what-to-type.ts";

/** Explains an answer of a version server with another status than 200. */
export function explainStatus(response: Response): Fault {
  const { status, route } = response;
  const message = `${printUrl(response.url)}, asked ${printWay(response)}, answers with status ${status}${reasonOf(response)}`;
  const look = `${askByHand(response)} shows the whole answer`;
  if (status === 404) return new Fault("channel-unknown", { message, hint: `check \`channel\` and \`endpoint\`; ${look}` });
  if (status === 407 && route.kind === "proxy") return explainProxyCredentials(response);
  if (status === 401 || status === 403) {
    return new Fault("channel-refused", { message, hint: `let the version server answer this host without signing in; ${look}` });
  }
  if (status === 429 || status >= 500) {
    return new Fault("channel-failing", {
      message,
      hint: `it is asked again by itself; if it stays so, look at the version server's log; ${look}`,
    });
  }
  return new Fault("answer-invalid", { message: `${message} and ${describe(response)}, which is not a version`, hint: look });
}

/** The server's own reason, if it is a sentence and no page. Everyone may read the record with it. */
function reasonOf({ body, contentType, route }: Response): string {
  const reason = body.kind === "whole" ? reasonIn(body.bytes, contentType) : undefined;
  return reason === undefined || holdsPassword(reason, route) ? "" : `: "${quote(mask(reason), longestReason)}"`;
}

/** Whether the text has the proxy's password: a proxy may answer for an http URL itself and repeat the request. */
function holdsPassword(text: string, route: Route): boolean {
  if (route.kind === "direct" || route.proxy.credentials === undefined) return false;
  const { user, password } = route.proxy.credentials;
  return [password, encodeURIComponent(password), Buffer.from(`${user}:${password}`).toString("base64")].some(
    (secret) => secret !== "" && text.includes(secret),
  );
}

const longestReason = 200;
