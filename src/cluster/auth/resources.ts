import type { KeyObject } from "node:crypto";
import type { ResourceService } from "../api/generated/svc/v1/resource_pb.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { parseSealingKey, seal } from "../identity/sealed.ts";
import { resourceKinds, type ResourceKind } from "../resource/resource.ts";
import type { Change, Committed, Item, JsonObject } from "../storage/port.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { Caller } from "./caller.ts";
import { changeResource, type Changed } from "./change-resource.ts";
import { asRead, overtaken, retrying } from "./changes.ts";
import { commitFor } from "./commit.ts";
import type { AuthContext } from "./context.ts";
import { findCredential } from "./credential-row.ts";
import { everyItem } from "./every-item.ts";
import { removeCredential } from "./remove-credential.ts";
import type { HandlersOf } from "./handlers.ts";
import { pageOf, readPageSize, refuseToken } from "./page.ts";
import { isAllowed, refusedBy, requirePermission } from "./permission.ts";
import { markRoleUse, refuseWhileUsed } from "./role-use.ts";
import { kindFrom, missingResource, nameFor, nameIn, presetRole, presetRoles, refusePreset, shown } from "./stored-resource.ts";
import { timestamp } from "./timestamp.ts";

export const resourceHandlers: HandlersOf<typeof ResourceService> = {
  createResource: async (context, caller, { resource }) => ({
    changed: message(await changeResource(context, caller, { raw: resource, mode: "create" })),
  }),
  upsertResource: async (context, caller, { resource, mustExist }) => ({
    changed: message(await changeResource(context, caller, { raw: resource, mode: mustExist ? "update" : "upsert" })),
  }),
  getResource: async (context, caller, { kind, name, withSecrets, secretsKey }) => {
    const wanted = kindFrom(kind);
    requirePermission(caller, { kind: wanted, verb: "read" });
    const key = withSecrets ? readSecretsKey(caller, [wanted], secretsKey) : undefined;
    const resource = await readOne(context, { kind: wanted, name: nameFor(wanted, name), withSecrets });
    if (withSecrets) await tellSecretsRead(context, caller, { kind: wanted, name: nameIn(resource) });
    return key === undefined ? { resource: resource as Mutable } : { sealed: await seal(key, resource) };
  },
  listResources: async (context, caller, { kind, withSecrets, pageSize, pageToken, secretsKey }) => {
    const kinds = kindsToList(caller, kind);
    const key = withSecrets ? readSecretsKey(caller, kinds, secretsKey) : undefined;
    const listed = everyResource(context, { kinds, after: pageToken, withSecrets });
    const { page, nextPageToken } = await pageOf(
      listed,
      readPageSize(pageSize),
      (last) => `${last["kind"] as string}/${nameIn(last)}`,
    );
    if (withSecrets && page.length > 0)
      await tellSecretsRead(context, caller, { kind: kind === "" ? "" : kindFrom(kind), name: "" });
    return key === undefined ? { resources: page as Mutable[], nextPageToken } : { sealed: await seal(key, page), nextPageToken };
  },
  deleteResource: async (context, caller, request) => {
    const kind = kindFrom(request.kind);
    const name = nameFor(kind, request.name);
    return deleteOne(context, caller, { kind, name, revision: request.revision });
  },
};

/** Connect's types are not readonly; no handler writes to them. */
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

/** The key to encrypt the answer to. Undefined for root without a key: no proxy sees the answer of its socket. */
function readSecretsKey(caller: Caller, kinds: readonly ResourceKind[], sent: string): KeyObject | undefined {
  for (const kind of kinds) requirePermission(caller, { kind, verb: "secrets" });
  if (sent === "" && caller.kind === "root") return undefined;
  const key = parseSealingKey(sent);
  if (key !== undefined) return key;
  throw new Fault("request-refused", {
    message: "a call through a proxy that asks for secrets needs a public key of P-256 in secrets_key, and this one has none",
    hint: "tctl sends one: `tctl get KIND/NAME --with-secrets`",
  });
}

async function tellSecretsRead(
  context: AuthContext,
  caller: Caller,
  { kind, name }: { readonly kind: ResourceKind | ""; readonly name: string },
): Promise<void> {
  await commitFor(caller, { changes: [], audit: [{ event: "resource.secrets-read", kind, name }] }, context);
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
  /** `KIND/NAME` of the last resource on the previous page. */
  readonly after: string;
  readonly withSecrets: boolean;
};

async function* everyResource({ store }: AuthContext, { kinds, after, withSecrets }: Listing): AsyncGenerator<JsonObject> {
  const [lastKind = kinds[0], lastName = ""] = after === "" ? [] : splitToken(after, kinds);
  const begun = kinds.findIndex((kind) => kind === lastKind);
  for (const kind of kinds.slice(begun)) {
    const from = kind === lastKind ? lastName : "";
    const presets = kind === "role" ? presetRoles().filter((role) => nameIn(role) > from) : [];
    for await (const item of everyItem(store, kind, from)) {
      while (presets[0] !== undefined && nameIn(presets[0]) < item.name) yield presets.shift() as JsonObject;
      yield shown(item, withSecrets ? "with-secrets" : "without-secrets");
    }
    yield* presets;
  }
}

function splitToken(token: string, kinds: readonly string[]): readonly [string, string] {
  const cut = token.indexOf("/");
  const kind = token.slice(0, Math.max(0, cut));
  if (kinds.includes(kind)) return [kind, token.slice(cut + 1)];
  throw refuseToken();
}

async function deleteOne(
  context: AuthContext,
  caller: Caller,
  { kind, name, revision }: Wanted & { readonly revision: string },
): Promise<{ readonly remarks: string[] }> {
  requirePermission(caller, { kind, verb: "delete" });
  refusePreset(kind, name);
  const busy = { message: "what depends on it changes while it is being deleted" };
  return retrying(() => tryToDelete(context, caller, { kind, name, revision }), busy);
}

/** Returns `overtaken` if the user's credential changed meanwhile, or if somebody was given the role. */
async function tryToDelete(
  context: AuthContext,
  caller: Caller,
  { kind, name, revision }: Wanted & { readonly revision: string },
): Promise<{ readonly remarks: string[] } | typeof overtaken> {
  const marks = kind === "role" ? await markRoleUse(context.store, "deleted") : [];
  const stored = await context.store.get({ kind, name });
  if (stored === undefined && kind === "user") return removeSignedIn(context, caller, name);
  if (stored === undefined) throw missingResource(kind, name);
  if (revision !== "" && revision !== stored.revision) throw overtakenBy(stored);
  if (kind === "role") await refuseWhileUsed(context.store, name, context.now());
  const entry = { event: `${kind}.deleted`, kind, name, before: shown(stored, "without-secrets") };
  const { removals, now } = context;
  const changes: readonly Change[] = [
    { kind: "delete", item: { kind, name }, expect: asRead(stored) },
    ...(kind === "user" ? await removeCredential(context.store, name) : []),
    ...marks,
  ];
  const commit = (): Promise<Committed> => commitFor(caller, { changes, audit: [entry] }, context);
  // Records the removal, so that an older backup does not bring the user back.
  const removal = { kind: "user", at: now(), name, revision: stored.revision, until: undefined } as const;
  const committed = kind === "user" ? await removals.during(removal, commit) : await commit();
  if (committed.kind === "overtaken" && committed.change > 0) return overtaken;
  if (committed.kind === "overtaken")
    throw committed.found === undefined ? missingResource(kind, name) : overtakenBy(committed.found);
  return {
    remarks:
      kind === "cluster_maintenance_config"
        ? ["no window is configured from now on: no host moves until there is one again"]
        : [],
  };
}

/** Ends the sessions of a person who signed in through a connector: they have no resource to delete. */
async function removeSignedIn(
  context: AuthContext,
  caller: Caller,
  name: string,
): Promise<{ readonly remarks: string[] } | typeof overtaken> {
  const credential = await findCredential(context.store, name);
  if (credential?.row.identity === undefined) throw missingResource("user", name);
  const { connector } = credential.row.identity;
  const audit = [{ event: "user.deleted", kind: "user", name, detail: `who signed in through ${connector}` }] as const;
  await context.people.pending.endOf(name);
  const committed = await commitFor(caller, { changes: await removeCredential(context.store, name), audit }, context);
  if (committed.kind === "overtaken") return overtaken;
  return { remarks: [`their sessions have ended; ${connector} lets them in again as long as its mapping gives them a role`] };
}

function overtakenBy({ kind, name, changedBy, changedAt }: Item): Fault {
  return new Fault("resource-overtaken", {
    message: `${kind} ${name} is not what it was when it was read: ${changedBy} changed it at ${printInstant(changedAt)}`,
    hint: `look at it, \`tctl get ${kind}/${name}\`, and delete it again`,
  });
}
