import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { printUrl } from "./hop.ts";
import { allowPlainHttp } from "./what-to-type.ts";

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** The address to which an answer redirects, if any. The scheme may change only from http to https. */
export function redirectOf(
  from: URL,
  answer: { readonly status: number; readonly location: string | undefined },
): URL | undefined {
  if (!redirects.includes(answer.status) || answer.location === undefined) return undefined;
  const place = `"${quote(answer.location)}"`;
  const to = URL.parse(answer.location, from.href);
  if (to === null) throw refused(from, `to ${place}, which is no URL`);
  to.hash = "";
  if (from.protocol === "https:" && to.protocol === "http:") throw refused(from, `from https down to http, to ${place}`);
  if (to.protocol !== "https:" && to.protocol !== "http:") throw refused(from, `to another scheme, ${place}`);
  // The server has chosen these credentials, and every message would show them.
  if (to.username !== "" || to.password !== "") throw refused(from, `to a URL with a user name in it, at ${quote(to.host)}`);
  return to;
}

export function tooManyRedirects(from: URL, most: number): Fault {
  return refused(from, `once more, after ${most} redirects before it`);
}

export function plainRedirect(from: URL, to: URL): Fault {
  return new Fault("redirect-refused", {
    message: `${printUrl(from)} redirects to plain http on another host, ${to.host}`,
    hint: `set \`endpoint\` to where the server really is, by https, or ${allowPlainHttp}`,
  });
}

function refused(from: URL, where: string): Fault {
  return new Fault("redirect-refused", {
    message: `${printUrl(from)} redirects ${where}`,
    hint: `look at the answers with \`curl -sSIL ${printUrl(from)}\`, and set \`endpoint\` to where the server really is`,
  });
}
