import type { ChangedJson } from "../../api/generated/svc/v1/resource_pb.ts";
import { isClusterFault } from "../../../rules/fault/tell-fault.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { nameRule, parseResourceName } from "../../resource/name.ts";
import { isMapping } from "../../../rules/shape/reading.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { changesAnswer } from "../json/changed.ts";
import { addedUserAnswer, invitationAnswer } from "../json/invitation.ts";
import { localUser, usersAnswer, type ListedUser } from "../json/users.ts";
import { askedTtl, invite, linkProxy, tellInvitation } from "../invite.ts";
import { listAll } from "../resources.ts";
import { say } from "../screen/say.ts";
import { table } from "../../../rules/text/table.ts";
import { tellChanged } from "../sentences.ts";
import { remove } from "./rm.ts";
import { everySession } from "./sessions.ts";

const kind = "user";
const version = "v2";

export async function addUser(context: TctlContext, given: Given): Promise<number> {
  const name = userName(given);
  const spec = { roles: readRoles(given.text("roles") ?? "", "--roles") };
  const ttlSeconds = askedTtl(given);
  const proxy = await linkProxy(context);
  const resource = { kind, version, metadata: { name }, spec };
  const { changed = {} } = await context.call("ResourceService/CreateResource", { resource }).catch((thrown: unknown) => {
    throw isThere(thrown, name);
  });
  if (proxy === undefined) {
    const value = { changed: [changed], invited: undefined };
    const text = `${tellChanged(changed)}note: they cannot sign in yet, as it is not known at which proxy: \`tctl users reset ${name} --proxy=HOST\` makes a link\n`;
    return say(context, { shape: addedUserAnswer, value, text: () => text });
  }
  const invited = await invite(context, { user: name, proxy, ttlSeconds, reset: false }).catch((thrown: unknown) => {
    throw notInvited(thrown, changed);
  });
  return say(context, {
    shape: addedUserAnswer,
    value: { changed: [changed], invited },
    text: () => `${tellChanged(changed)}${tellInvitation(invited)}`,
  });
}

/** A fault that says that the user exists, although the invitation failed. */
function notInvited(thrown: unknown, changed: ChangedJson): unknown {
  if (!isClusterFault(thrown)) return thrown;
  const { code, message, wrong } = thrown;
  // A person without the right would be refused again.
  const again = `tctl users reset ${quote(changed.name ?? "", 128)}`;
  const hint = code === "access-denied" ? `root can on the auth host: \`sudo ${again}\`` : `make the link alone: \`${again}\``;
  return new Fault(code, {
    message: `${tellChanged(changed).trim()}, but not invited\n${message}`,
    hint,
    wrong,
    cause: thrown,
  });
}

export async function resetUser(context: TctlContext, given: Given): Promise<number> {
  const user = userName(given);
  const ttlSeconds = askedTtl(given);
  const proxy = await linkProxy(context);
  if (proxy === undefined) {
    throw new Fault("usage", {
      message: "at which proxy does the user sign in? It stands in the link, and /etc/svc.yaml does not say it",
      hint: `name its public address: \`tctl users reset ${user} --proxy=HOST\``,
    });
  }
  const invited = await invite(context, { user, proxy, ttlSeconds, reset: true });
  return say(context, {
    shape: invitationAnswer,
    value: invited,
    text: () =>
      `the password and the codes of ${user} are void, and every session of ${user} has ended\n${tellInvitation(invited)}`,
  });
}

/** Replaces the usual hint, which needs a file. This command has none. */
function isThere(thrown: unknown, name: string): unknown {
  if (!(thrown instanceof Fault) || thrown.code !== "resource-exists") return thrown;
  const hint = `replace their roles: \`tctl users update ${name} --set-roles=ROLES\``;
  return new Fault(thrown.code, { message: thrown.message, hint, cause: thrown });
}

export async function updateUser(context: TctlContext, given: Given): Promise<number> {
  const name = userName(given);
  const roles = readRoles(given.text("setRoles") ?? "", "--set-roles");
  const { resource } = await context.call("ResourceService/GetResource", { kind, name });
  // Sends the revision that was read, so that another change meanwhile is reported.
  const updated = { ...resource, spec: { ...(isMapping(resource?.["spec"]) ? (resource["spec"] as object) : {}), roles } };
  const { changed = {} } = await context.call("ResourceService/UpsertResource", { resource: updated, mustExist: true });
  return say(context, { shape: changesAnswer, value: [changed], text: () => tellChanged(changed) });
}

export async function removeUser(context: TctlContext, given: Given): Promise<number> {
  return remove(context, { kind, name: userName(given) });
}

export async function listUsers(context: TctlContext): Promise<number> {
  const local = (await listAll(context, { kind, withSecrets: false })).map(localUser);
  const through = await signedInThrough(context);
  const found = [...local, ...(through ?? [])];
  const note =
    through === undefined ? "note: who is signed in through a connector is not shown: that takes list on session\n" : "";
  return say(context, { shape: usersAnswer, value: found, text: () => `${screen(found)}${note}` });
}

/** Undefined if the caller may not list sessions. */
async function signedInThrough(context: TctlContext): Promise<readonly ListedUser[] | undefined> {
  try {
    const users = new Map<string, ListedUser>();
    for (const { user = "", roles = [], connector = "" } of await everySession(context, "")) {
      if (connector !== "") users.set(user, { name: user, roles, revision: "", connector });
    }
    return [...users.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "access-denied") return undefined;
    throw thrown;
  }
}

function screen(users: readonly ListedUser[]): string {
  if (users.length === 0) return "there is no user yet: `tctl users add NAME --roles=editor`\n";
  return table(
    ["User", "Roles", "Through"],
    users.map(({ name, roles, connector = "" }) => [name, roles.join(","), connector]),
  );
}

function userName({ arguments: [name = ""] }: Given): string {
  if (parseResourceName(name) !== undefined) return name;
  throw new Fault("usage", { message: `"${quote(name)}" cannot be a user's name`, hint: nameRule });
}

function readRoles(text: string, flag: string): string[] {
  const roles = text.split(",").map((role) => role.trim());
  const wrong = roles.find((role) => parseResourceName(role) === undefined);
  if (wrong === undefined) return roles;
  throw new Fault("usage", {
    message: wrong === "" ? `${flag} has an empty role in it` : `"${quote(wrong)}" cannot be a role's name`,
    hint: `for example ${flag}=access,editor; \`tctl get role --format text\` shows the roles`,
  });
}
