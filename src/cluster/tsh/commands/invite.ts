import { resolve } from "node:path";
import { call } from "../../api/call.ts";
import type { ReadInvitationResponseJson } from "../../api/generated/svc/v1/session_pb.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { tellTime } from "../../../machine/clocks/tell-time.ts";
import { parseLink, type Link } from "../../session/link.ts";
import { loginLine, towards } from "../../session/signed-in.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TshContext } from "../context.ts";
import { secretsFrom, type Secrets } from "../secrets.ts";

/** Refuses a password that is plainly too short, and asks again. Auth judges all others. */
const leastCharacters = 12;
const mostTries = 3;

export async function invite(context: TshContext, given: Given): Promise<number> {
  const { surroundings } = context;
  const { stopping, out } = surroundings;
  const file = given.text("caFile");
  const caFile = file === undefined ? undefined : resolve(file);
  const secrets = await secretsFrom(surroundings, given.text("passwordFile"));
  try {
    const link = readLink(given.arguments[0] ?? (await secrets.next("Link of the invitation: ")));
    secrets.rest();
    const transport = towards(
      { proxy: link.proxy, typed: "tsh invite", caFile, proving: undefined, clockAheadSeconds: 0 },
      context,
    );
    const { token } = link;
    const found = await call(transport, { method: "InvitationService/ReadInvitation", request: { token } }, { stopping });
    out(await screen(found));
    const password = await newPassword(secrets);
    const code = (found.secret ?? "") === "" ? "" : await oneTimeCode(secrets);
    secrets.rest();
    const request = { token, password, code };
    const { user = "" } = await call(transport, { method: "InvitationService/TakeInvitation", request }, { stopping });
    const line = loginLine({ proxy: link.proxy, caFile, user: quote(user, 128), connector: undefined });
    out(`the password of ${quote(user, 128)} is set${code === "" ? "" : ", and the codes are in use"}; sign in: \`${line}\`\n`);
    return 0;
  } finally {
    secrets.close();
  }
}

function readLink(text: string): Link {
  const link = parseLink(text);
  if (link !== undefined) return link;
  // Does not show the text, which may be a secret link with one character missing.
  throw new Fault("usage", {
    message: "that is no link of an invitation",
    hint: "it looks like https://proxy.example.com/web/invite/… with 64 digits behind it; `tsh invite` alone asks for it",
  });
}

async function screen({ user = "", clusterName = "", secret = "", expires = "" }: ReadInvitationResponseJson): Promise<string> {
  const head = `invitation of ${quote(user, 128)} to the cluster ${quote(clusterName, 128)}, good until ${tellTime(expires)}\n`;
  if (secret === "") return head;
  const [{ codeUri }, { renderUnicodeCompact }] = await Promise.all([import("../code-uri.ts"), import("uqr")]);
  const uri = codeUri({ user, cluster: clusterName, secret: quote(secret, 128) });
  return `${head}
Take this into an app for one-time codes:

${renderUnicodeCompact(uri, { border: 2 })}

or type it in:  ${quote(secret, 128)}
or open:        ${uri}

`;
}

async function newPassword(secrets: Secrets): Promise<string> {
  const prompt = `New password, ${leastCharacters} characters at least: `;
  if (secrets.kind === "read") return await secrets.next(prompt);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const password = await secrets.next(prompt);
    if (Array.from(password).length < leastCharacters) await secrets.tell(`that has less than ${leastCharacters} characters\n`);
    else if (password === (await secrets.next("The same again: "))) return password;
    else await secrets.tell("these are two different ones\n");
  }
  throw new Fault("password-unusable", {
    message: `no password was typed twice in ${mostTries} tries; nothing has been changed`,
    hint: "the link is still good: type `tsh invite` again",
  });
}

async function oneTimeCode(secrets: Secrets): Promise<string> {
  const code = await secrets.next("Code that the app shows: ");
  return code.replaceAll(" ", "");
}
