import type { SessionJson } from "../../api/generated/svc/v1/session_pb.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { tellShort } from "../../../machine/clocks/tell-time.ts";
import { nameRule, parseResourceName } from "../../resource/name.ts";
import { table } from "../../../rules/text/table.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { removedSessionsAnswer, sessionsAnswer } from "../json/sessions.ts";
import { say } from "../screen/say.ts";
import { pages } from "../pages.ts";

export async function listSessions(context: TctlContext, given: Given): Promise<number> {
  const user = askedUser(given.text("user"));
  const found = await everySession(context, user);
  return say(context, { shape: sessionsAnswer, value: found, text: () => screen(found, user) });
}

/** Lists the sessions of one user, or of all users if `user` is empty. */
export async function everySession(context: TctlContext, user: string): Promise<readonly SessionJson[]> {
  const found: SessionJson[] = [];
  const ask = (page: object) => context.call("SessionService/ListSessions", { user, ...page });
  for await (const { sessions = [] } of pages(ask)) found.push(...sessions);
  return found;
}

function screen(sessions: readonly SessionJson[], user: string): string {
  if (sessions.length === 0) return `nobody is signed in${user === "" ? "" : ` as ${user}`}\n`;
  return table(
    ["Session", "User", "Roles", "Began", "Until", "From", "By", "Through"],
    sessions.map(
      ({ name = "", user: who = "", roles = [], began = "", until = "", address = "", client = "", connector = "" }) => [
        name,
        who,
        roles.join(","),
        tellShort(began),
        tellShort(until),
        address,
        client,
        connector,
      ],
    ),
  );
}

export async function removeSessions(context: TctlContext, given: Given): Promise<number> {
  const [name = ""] = given.arguments;
  const user = askedUser(given.text("user"));
  if ((name === "") === (user === "")) {
    throw new Fault("usage", {
      message: "which sessions? Either one by its name, or all of a user's",
      hint: "`tctl sessions rm NAME` or `tctl sessions rm --user=USER`; `tctl sessions ls` shows them",
    });
  }
  if (name !== "" && !/^[0-9a-f]{16}$/.test(name)) {
    // Does not repeat the text, which may be the token itself.
    throw new Fault("usage", {
      message: "a session's name has 16 hexadecimal digits",
      hint: "`tctl sessions ls` shows the names",
    });
  }
  const { removed = 0 } = await context.call("SessionService/RemoveSessions", { name, user });
  return say(context, { shape: removedSessionsAnswer, value: removed, text: () => told(removed, { name, user }) });
}

function told(removed: number, { name, user }: { readonly name: string; readonly user: string }): string {
  if (name !== "") return `session ${name} has ended\n`;
  return removed === 0
    ? `nobody was signed in as ${user}\n`
    : `${removed === 1 ? "one session" : `${removed} sessions`} of ${user} ended\n`;
}

function askedUser(user: string | undefined): string {
  if (user === undefined || parseResourceName(user) !== undefined) return user ?? "";
  throw new Fault("usage", { message: `"${quote(user)}" cannot be a user's name`, hint: nameRule });
}
