import type { SessionService } from "../api/generated/svc/v1/session_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Change, Store } from "../storage/port.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Caller } from "./caller.ts";
import { askedUser } from "./asked-user.ts";
import { overtaken, retrying } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import { everyItem } from "./every-item.ts";
import { findCredential, putCredential } from "./credential-row.ts";
import { connectorSignIn } from "./connector-sign-in.ts";
import type { HandlersOf } from "./handlers.ts";
import { pageOf, readPageSize } from "./page.ts";
import { requirePermission } from "./permission.ts";
import { rowOf } from "./row-forms.ts";
import { rolesOfSession, sessionMessage } from "./session-message.ts";
import { findSession, livingOf, removeSession, sessionRow, type SessionRow } from "./session-row.ts";
import { signIn } from "./sign-in.ts";
import { signInTest } from "./sign-in-test.ts";
import { timestamp } from "./timestamp.ts";

export const sessionHandlers: HandlersOf<typeof SessionService> = {
  greet: async ({ cluster, version, now }) => ({
    clusterName: cluster.name,
    clusterId: cluster.id,
    version,
    now: timestamp(now()),
  }),
  signIn,
  ...connectorSignIn,
  ...signInTest,
  getSession: async ({ store, cluster }, caller) => {
    const { session: name } = personIn(caller);
    const row = await findSession(store, name);
    if (row === undefined) throw missing(name);
    return { session: await message(store, { name, row }), clusterName: cluster.name, clusterId: cluster.id };
  },
  signOut: async (context, caller) => {
    const { session: name } = personIn(caller);
    const audit = [{ event: "session.ended", kind: "session", name }] as const;
    await commitFor(caller, { changes: [removeSession(name)], audit }, context);
    return {};
  },
  listSessions: async ({ store, now }, caller, { user, pageSize, pageToken }) => {
    if (!isOwn(caller, user)) requirePermission(caller, { kind: "session", verb: "list" });
    const listed = user === "" ? everySession(store, pageToken) : sessionsOf(store, user, pageToken);
    const { page, nextPageToken } = await pageOf(living(listed, now()), readPageSize(pageSize), ({ name }) => name);
    return { sessions: await Promise.all(page.map((session) => message(store, session))), nextPageToken };
  },
  removeSessions: async (context, caller, { name, user }) => {
    if ((name === "") === (user === "")) {
      throw new Fault("request-refused", {
        message: "which sessions are meant is not said: either one by its name, or all of a user's",
        hint: "`tctl sessions ls` shows them",
      });
    }
    return { removed: name === "" ? await removeAll(context, caller, user) : await removeOne(context, caller, name) };
  },
};

type Named = { readonly name: string; readonly row: SessionRow };

async function message(store: Pick<Store, "get">, { name, row }: Named): Promise<ReturnType<typeof sessionMessage>> {
  return sessionMessage({ name, row, roles: await rolesOfSession(store, row) });
}

type Person = Extract<Caller, { readonly kind: "person" }>;

/** The gate admits only people. */
function personIn(caller: Caller): Person {
  if (caller.kind === "person") return caller;
  throw new Fault("access-denied", {
    message: "only people who are signed in have a session",
    hint: "`tctl sessions ls` shows those of others",
  });
}

function isOwn(caller: Caller, user: string): boolean {
  return caller.kind === "person" && caller.user === user;
}

async function* everySession(store: Pick<Store, "list">, token: string): AsyncGenerator<Named> {
  for await (const item of everyItem(store, "session", token)) yield { name: item.name, row: rowOf(sessionRow, item) };
}

async function* living(sessions: AsyncIterable<Named>, now: UnixSeconds): AsyncGenerator<Named> {
  for await (const session of sessions) if (session.row.until > now) yield session;
}

async function* sessionsOf(store: Pick<Store, "get">, user: string, token: string): AsyncGenerator<Named> {
  const credential = await findCredential(store, askedUser(user));
  for (const name of (credential?.row.sessions ?? []).toSorted()) {
    const row = name > token ? await findSession(store, name) : undefined;
    if (row !== undefined) yield { name, row };
  }
}

async function removeOne(context: AuthContext, caller: Caller, name: string): Promise<number> {
  const row = isName(name) ? await findSession(context.store, name) : undefined;
  // Callers without the permission do not even learn whether the session exists.
  if (row === undefined || !isOwn(caller, row.user)) requirePermission(caller, { kind: "session", verb: "delete" });
  if (row === undefined) throw missing(name);
  const audit = [{ event: "session.removed", kind: "session", name, detail: `of ${row.user}` }] as const;
  const changes: readonly Change[] = [{ ...removeSession(name), expect: { kind: "present" } }];
  const committed = await commitFor(caller, { changes, audit }, context);
  return committed.kind === "done" ? 1 : 0;
}

async function removeAll(context: AuthContext, caller: Caller, user: string): Promise<number> {
  if (!isOwn(caller, user)) requirePermission(caller, { kind: "session", verb: "delete" });
  const remove = async (): Promise<number | typeof overtaken> => {
    const credential = await findCredential(context.store, askedUser(user));
    const { sessions = [] } = credential?.row ?? {};
    const ended = await livingOf(context.store, sessions, context.now());
    if (credential === undefined || ended.length === 0) return 0;
    const changes = [putCredential(user, { ...credential.row, sessions: [] }, credential), ...sessions.map(removeSession)];
    const audit = ended.map((name) => ({ event: "session.removed", kind: "session" as const, name, detail: `of ${user}` }));
    const committed = await commitFor(caller, { changes, audit }, context);
    return committed.kind === "done" ? ended.length : overtaken;
  };
  return retrying(remove, { message: "they changed while they were being ended" });
}

function isName(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

function missing(name: string): Fault {
  return new Fault("resource-missing", {
    message: `there is no session "${quote(name)}"`,
    hint: "`tctl sessions ls` shows those that there are",
  });
}
