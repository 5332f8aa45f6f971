import type { ResourceService } from "../api/generated/svc/v1/resource_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { resourceKinds, type ResourceKind } from "../resource/resource.ts";
import type { Change, Committed, Item, JsonObject } from "../storage/port.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { Caller } from "./caller.ts";
import { changeResource, type Changed } from "./change-resource.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import { removeCredential } from "./remove-credential.ts";
import type { HandlersOf } from "./handlers.ts";
import { readPageSize } from "./page.ts";
import { isAllowed, refusedBy, requirePermission } from "./permission.ts";
import { markRoleUse, refuseWhileUsed } from "./role-use.ts";
import { kindFrom, missingResource, nameFor, nameIn, presetRole, presetRoles, refusePreset, shown } from "./stored-resource.ts";
import { timestamp } from "./timestamp.ts";

const mostTries = 5;

export const resourceHandlers: HandlersOf<typeof ResourceService> = {
  createResource: async (context, caller, { resource }) => ({
    changed: message(await changeResource(context, caller, { raw: resource, mode: "create" })),
  }),
  upsertResource: async (context, caller, { resource, mustExist }) => ({
    changed: message(await changeResource(context, caller, { raw: resource, mode: mustExist ? "update" : "upsert" })),
  }),
  getResource: async (context, caller, { kind, name, withSecrets }) => {
    const wanted = kindFrom(kind);
    requirePermission(caller, { kind: wanted, verb: "read" });
    if (withSecrets) requireSecrets(caller, wanted);
    const resource = await readOne(context, { kind: wanted, name: nameFor(wanted, name), withSecrets });
    if (withSecrets) await tellSecretsRead(context, caller, { kind: wanted, name: nameIn(resource) });
    return { resource: resource as Mutable };
  },
  listResources: async (context, caller, { kind, withSecrets, pageSize, pageToken }) => {
    const kinds = kindsToList(caller, kind);
    if (withSecrets) for (const wanted of kinds) requireSecrets(caller, wanted);
    const { resources, nextPageToken } = await listPage(context, {
      kinds,
      after: pageToken,
      most: readPageSize(pageSize),
      withSecrets,
    });
    if (withSecrets && resources.length > 0)
      await tellSecretsRead(context, caller, { kind: kind === "" ? "" : kindFrom(kind), name: "" });
    return { resources: resources as Mutable[], nextPageToken };
  },
  deleteResource: async (context, caller, request) => {
    const kind = kindFrom(request.kind);
    const name = nameFor(kind, request.name);
    return deleteOne(context, caller, { kind, name, revision: request.revision });
  },
};

/** Connect's types are of what may be written to; nobody does. */
type Mutable = Record<string, never>;

function message({ nextOpenings, remarks, ...changed }: Changed): object {
  return { ...changed, remarks: [...remarks], nextOpenings: nextOpenings.map(timestamp) };
}

type Wanted = { readonly kind: ResourceKind; readonly name: string };

async function readOne(
  { store }: AuthContext,
  { kind, name, withSecrets }: Wanted & { readonly withSecrets: boolean },
): Promise<JsonObject> {
  const preset = kind === "role" ? presetRole(name) : undefined;
  if (preset !== undefined) return preset;
  const item = await store.get({ kind, name });
  if (item === undefined) throw missingResource(kind, name);
  return shown(item, withSecrets ? "with-secrets" : "without-secrets");
}

/** What is secret leaves auth by root's socket alone, whatever roles say. */
function requireSecrets(caller: Caller, kind: ResourceKind): void {
  requirePermission(caller, { kind, verb: "secrets" });
  if (caller.kind === "root") return;
  throw new Fault("access-denied", {
    message: "secrets are shown to root on the auth host alone",
    hint: `there: \`sudo tctl get ${kind} --with-secrets\``,
  });
}

async function tellSecretsRead(
  context: AuthContext,
  caller: Caller,
  { kind, name }: { readonly kind: ResourceKind | ""; readonly name: string },
): Promise<void> {
  const entry = { event: "resource.secrets-read", kind, name, before: undefined, after: undefined, detail: "" };
  await commitFor(caller, { changes: [], audit: [entry] }, context);
}

function kindsToList(caller: Caller, kind: string): readonly ResourceKind[] {
  const mayList = (one: ResourceKind): boolean =>
    isAllowed(caller, { kind: one, verb: "list" }) && isAllowed(caller, { kind: one, verb: "read" });
  if (kind === "") {
    const listed = resourceKinds.filter(mayList);
    if (listed.length === 0) throw refusedBy(caller, { kind: "*", verb: "list" });
    return listed;
  }
  const wanted = kindFrom(kind);
  requirePermission(caller, { kind: wanted, verb: "list" });
  requirePermission(caller, { kind: wanted, verb: "read" });
  return [wanted];
}

type Listing = {
  readonly kinds: readonly ResourceKind[];
  /** `KIND/NAME` of the last one of the page before. */
  readonly after: string;
  readonly most: number;
  readonly withSecrets: boolean;
};
type ListPage = { readonly resources: readonly JsonObject[]; readonly nextPageToken: string };

async function listPage({ store }: AuthContext, { kinds, after, most, withSecrets }: Listing): Promise<ListPage> {
  const [lastKind = "", lastName] = after === "" ? [] : splitToken(after, kinds);
  const begun = Math.max(0, kinds.indexOf(lastKind as ResourceKind));
  const resources: JsonObject[] = [];
  for (const kind of kinds.slice(begun)) {
    const from = kind === lastKind ? lastName : undefined;
    // One more than is wanted says whether there is another page.
    const room = most + 1 - resources.length;
    const items = await store.list(kind, { after: from, most: room });
    const listed = items.map((item: Item) => shown(item, withSecrets ? "with-secrets" : "without-secrets"));
    resources.push(...(kind === "role" ? withPresets(listed, from) : listed).slice(0, room));
    if (resources.length > most) break;
  }
  const page = resources.slice(0, most);
  const last = page.at(-1);
  const isMore = resources.length > most && last !== undefined;
  return { resources: page, nextPageToken: isMore ? `${last["kind"] as string}/${nameIn(last)}` : "" };
}

function withPresets(listed: readonly JsonObject[], after: string | undefined): readonly JsonObject[] {
  const added = presetRoles().filter((role) => after === undefined || nameIn(role) > after);
  return [...listed, ...added].toSorted((one, other) => (nameIn(one) < nameIn(other) ? -1 : 1));
}

function splitToken(token: string, kinds: readonly string[]): readonly [string, string] {
  const cut = token.indexOf("/");
  const kind = token.slice(0, Math.max(0, cut));
  if (kinds.includes(kind)) return [kind, token.slice(cut + 1)];
  throw new Fault("request-refused", {
    message: "the page token is none of this list's",
    hint: "begin with the first page: leave it empty",
  });
}

async function deleteOne(
  context: AuthContext,
  caller: Caller,
  { kind, name, revision }: Wanted & { readonly revision: string },
): Promise<{ readonly remarks: string[] }> {
  requirePermission(caller, { kind, verb: "delete" });
  refusePreset(kind, name);
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const deleted = await tryToDelete(context, caller, { kind, name, revision });
    if (deleted !== "overtaken") return deleted;
  }
  throw new Fault("auth-busy", { message: "what depends on it changes while it is being deleted", hint: "ask again" });
}

/** Overtaken: what its user signs in with has changed meanwhile, or somebody was given roles. */
async function tryToDelete(
  context: AuthContext,
  caller: Caller,
  { kind, name, revision }: Wanted & { readonly revision: string },
): Promise<{ readonly remarks: string[] } | "overtaken"> {
  const marks = kind === "role" ? await markRoleUse(context.store, "deleted") : [];
  const stored = await context.store.get({ kind, name });
  if (stored === undefined) throw missingResource(kind, name);
  if (revision !== "" && revision !== stored.revision) throw overtakenBy(stored);
  if (kind === "role") await refuseWhileUsed(context.store, name);
  const before = shown(stored, "without-secrets");
  const entry = { event: `${kind}.deleted`, kind, name, before, after: undefined, detail: "" };
  const expect = { kind: "revision", revision: stored.revision } as const;
  const { removals, now } = context;
  const changes: readonly Change[] = [
    { kind: "delete", item: { kind, name }, expect },
    ...(kind === "user" ? await removeCredential(context.store, name) : []),
    ...marks,
  ];
  const commit = (): Promise<Committed> => commitFor(caller, { changes, audit: [entry] }, context);
  // Of people no older backup may bring anybody back.
  const removal = { kind: "user", at: now(), name, revision: stored.revision, until: undefined } as const;
  const committed = kind === "user" ? await removals.during(removal, commit) : await commit();
  if (committed.kind === "overtaken" && committed.change > 0) return "overtaken";
  if (committed.kind === "overtaken")
    throw committed.found === undefined ? missingResource(kind, name) : overtakenBy(committed.found);
  return {
    remarks:
      kind === "cluster_maintenance_config"
        ? ["no window is configured from now on: no host moves until there is one again"]
        : [],
  };
}

function overtakenBy({ kind, name, changedBy, changedAt }: Item): Fault {
  return new Fault("resource-overtaken", {
    message: `${kind} ${name} is not what it was when it was read: ${changedBy} changed it at ${printInstant(changedAt)}`,
    hint: `look at it, \`tctl get ${kind}/${name}\`, and delete it again`,
  });
}
