import type { Role } from "../access/judge.ts";
import { Fault, type Wrong } from "../../rules/fault/fault.ts";
import { mostTold } from "../../rules/shape/check.ts";
import { maintenanceName } from "../resource/maintenance.ts";
import { parseResourceName } from "../resource/name.ts";
import {
  readResource,
  resourceKinds,
  storedResource,
  writeResource,
  type Resource,
  type ResourceOf,
} from "../resource/resource.ts";
import { keepingSecrets, redirectsSecret, withoutSecrets } from "../resource/secrets.ts";
import { keysOf } from "../../rules/shape/shape.ts";
import { withoutEffectIn } from "../resource/role.ts";
import { quote } from "../../rules/text/quote.ts";
import { nearest } from "../../rules/text/nearest.ts";
import { githubSpec, oidcSpec, samlKeys } from "../resource/connector.ts";
import { beyondOf } from "../../rules/shape/unknown-keys.ts";
import type { Change, Item, JsonObject, Store } from "../storage/port.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Caller } from "./caller.ts";
import { overtaken, put, retrying } from "./changes.ts";
import { commitFor } from "./commit.ts";
import { samlRemarks } from "./saml-metadata.ts";
import type { AuthContext } from "./context.ts";
import { findCredential } from "./credential-row.ts";
import { escalationIn, grantOf, placesOfRoles, unknownRoles, type Granting } from "./grants.ts";
import { requireFreeChannel, wrongTarget } from "./refuse-rollout.ts";
import { removeCredential } from "./remove-credential.ts";
import { markRoleUse } from "./role-use.ts";
import { livingOf } from "./session-row.ts";
import { openingsOf } from "./windows-in-force.ts";
import { isAllowed, refusedBy, requirePermission, rolesOf } from "./permission.ts";
import { isMapping } from "../../rules/shape/reading.ts";
import { kindFrom, missingResource, presetRole, refusePreset, refuseReserved } from "./stored-resource.ts";

export type Changed = {
  readonly kind: string;
  readonly name: string;
  readonly revision: string;
  readonly outcome: "created" | "updated" | "unchanged";
  readonly remarks: readonly string[];
  readonly nextOpenings: readonly UnixSeconds[];
};

/** "create": the resource must be new. "update": the resource must exist. */
export type Mode = "create" | "upsert" | "update";

type Given = { readonly raw: unknown; readonly mode: Mode };

/** Without a revision the last writer wins. Auth tries this often before it gives up. */
const mostTries = 5;
const busy = { message: `others changed it ${mostTries} times while it was being written`, mostTries };

/** Writes a resource from a person's file into the store. */
export function changeResource(context: AuthContext, caller: Caller, given: Given): Promise<Changed> {
  return retrying(() => tryToChange(context, caller, given), busy);
}

async function tryToChange(context: AuthContext, caller: Caller, { raw, mode }: Given): Promise<Changed | typeof overtaken> {
  const { store, now } = context;
  const granter = rolesOf(caller);
  const marks = await markRoleUse(store, "named");
  const stored = await findChangeable(store, caller, { raw, mode });
  const written = readWritten(raw);
  const { kind } = written;
  const { name, revision } = written.metadata;
  // A preset that was read with `tctl get` may be written back unchanged.
  if (mode !== "create" && isPresetAsItIs(written)) {
    return { kind, name, revision: "", outcome: "unchanged", remarks: [], nextOpenings: [] };
  }
  refusePreset(kind, name);
  refuseReserved(kind, name);
  if (mode === "create" && stored !== undefined) throw exists(stored);
  if (mode === "update" && stored === undefined) throw missingResource(kind, name);
  if (mode !== "create" && revision !== undefined && revision !== stored?.revision)
    throw await overtakenFault(context, { written, stored });
  const destination = stored === undefined ? undefined : redirectsSecret(raw, stored.body);
  if (destination !== undefined) throw invalid(written, [secretMissing(destination)]);
  const whole = stored === undefined ? written : readWritten(keepingSecrets(raw, stored.body));
  const wrong = [...(await unknownRoles(whole, store)), ...(whole.kind === "rollout" ? await wrongTarget(context, whole) : [])];
  if (wrong.length > 0) throw invalid(whole, wrong);
  if (whole.kind === "rollout") {
    // Who may not say when hosts move cannot have them move at once either.
    if (whole.spec.critical) requirePermission(caller, { kind: "cluster_maintenance_config", verb: "update" });
    await requireFreeChannel(context, whole);
  }
  const escalated = await escalationOf(granter, { written: whole, stored, context });
  const body = bodyOf(whole);
  const ended = kind === "user" && stored === undefined ? await endedSessions(context, caller, name) : [];
  const told = {
    kind,
    name,
    remarks: [...remarksOn(whole, raw), ...ended],
    nextOpenings: whole.kind === "cluster_maintenance_config" ? openingsOf(whole, now()) : [],
  };
  if (stored !== undefined && isSame(stored.body, body)) return { ...told, revision: stored.revision, outcome: "unchanged" };
  const changes: readonly Change[] = [
    put({ kind, name }, body, stored),
    // A new user inherits nothing from an earlier user of that name.
    ...(kind === "user" && stored === undefined ? await removeCredential(store, name) : []),
    ...(placesOfRoles(whole).length > 0 ? marks : []),
  ];
  const outcome = stored === undefined ? "created" : "updated";
  const entry = { event: `${kind}.${outcome}`, kind, name, before: publicly(stored?.body), after: publicly(body) };
  const audit =
    escalated === undefined ? [entry] : [entry, { event: "rights.escalated", kind, name, detail: `grants ${escalated}` }];
  const committed = await commitFor(caller, { changes, audit }, context);
  if (committed.kind === "done") return { ...told, revision: committed.revision, outcome };
  if (committed.change > 0) return overtaken;
  if (mode === "create" && committed.found !== undefined) throw exists(committed.found);
  if (revision !== undefined) throw await overtakenFault(context, { written, stored: committed.found });
  return overtaken;
}

/** Ends the sessions of a signed-in person with the new user's name, as removing that person would. So it needs the same permission. */
async function endedSessions({ store, now }: AuthContext, caller: Caller, name: string): Promise<readonly string[]> {
  const row = (await findCredential(store, name))?.row;
  if (row?.identity === undefined || (await livingOf(store, row.sessions, now())).length === 0) return [];
  const { connector } = row.identity;
  const wanted = { kind: "user", verb: "delete" } as const;
  if (!isAllowed(caller, wanted)) {
    const { message, hint } = refusedBy(caller, wanted);
    throw new Fault("access-denied", {
      message: `${name} is signed in through ${connector}, and a new user of that name would end that: ${message}`,
      hint,
    });
  }
  return [`${name} was signed in through ${connector}: those sessions have ended`];
}

/** The stored resource of that name. Checks the permission before it reads the rest, which may be a megabyte. */
async function findChangeable(store: Pick<Store, "get">, caller: Caller, { raw, mode }: Given): Promise<Item | undefined> {
  const given = isMapping(raw) ? raw : {};
  const kind = resourceKinds.find((one) => one === given["kind"]);
  // An unknown kind: readWritten refuses it.
  if (kind === undefined) return undefined;
  const { name: named } = isMapping(given["metadata"]) ? given["metadata"] : {};
  const name =
    kind === "cluster_maintenance_config" ? maintenanceName : typeof named === "string" ? parseResourceName(named) : undefined;
  const stored = name === undefined ? undefined : await store.get({ kind, name });
  requirePermission(caller, { kind, verb: stored === undefined || mode === "create" ? "create" : "update" });
  return stored;
}

function isPresetAsItIs(written: Resource): boolean {
  const preset = written.kind === "role" ? presetRole(written.metadata.name) : undefined;
  return preset !== undefined && isSame(preset, bodyOf(written));
}

function readWritten(raw: unknown): Resource {
  const reading = readResource(raw);
  if (reading.kind === "value") return reading.value;
  const wrong = reading.refusals;
  const kind = isMapping(raw) && typeof raw["kind"] === "string" ? kindFrom(raw["kind"]) : "resource";
  throw invalid({ kind }, wrong);
}

function secretMissing(destination: string): Wrong {
  return {
    at: `.spec.${destination}`,
    found: "another one than before, and the secret of the one before",
    allowed: "with another one, its client_secret as well (`client_secret: null` for none)",
  };
}

function invalid({ kind }: { readonly kind: string }, wrong: readonly Wrong[]): Fault {
  const count = wrong.length === 1 ? "one fault" : `${wrong.length} faults`;
  const told = wrong.length > mostTold ? `, and these are the first ${mostTold}` : "";
  return new Fault("resource-invalid", {
    message: `the ${kind} is not taken: it has ${count}${told}`,
    hint: "correct what is named, and type the same again",
    wrong: wrong.slice(0, mostTold),
  });
}

/** Tells what the change grants beyond the granter's own rights. */
async function escalationOf(
  granter: readonly Role[],
  { written, stored, context }: { readonly written: Resource; readonly stored: Item | undefined; readonly context: AuthContext },
): Promise<string | undefined> {
  const before = stored === undefined ? undefined : storedResource(stored.body);
  const grant = await grantOf(written, before?.kind === "read" ? before.value : undefined, context.store);
  return grant === undefined ? undefined : escalationIn(granter, grant, grantingOf(written, stored));
}

function grantingOf(written: Resource, stored: Item | undefined): Granting {
  const { kind, metadata } = written;
  const isUser = written.kind === "user";
  const [verb, flag] = stored === undefined ? ["add", "--roles"] : ["update", "--set-roles"];
  const command = isUser
    ? `sudo tctl users ${verb} ${metadata.name} ${flag}=${written.spec.roles.join(",")}`
    : "sudo tctl create -f FILE";
  return { message: `${kind} ${metadata.name} would grant`, command };
}

/** The stored body has no revision; the store adds it. */
function bodyOf(resource: Resource): JsonObject {
  const metadata = { ...resource.metadata, revision: undefined };
  return writeResource({ ...resource, metadata }) as JsonObject;
}

function publicly(body: JsonObject | undefined): JsonObject | undefined {
  return body === undefined ? undefined : (withoutSecrets(body) as JsonObject);
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function remarksOn(resource: Resource, raw: unknown): readonly string[] {
  switch (resource.kind) {
    case "github":
      return [
        ...withoutEffect(resource),
        ...(resource.spec.client_secret === undefined ? ["it has no client_secret: nobody can sign in by it yet"] : []),
        ...resource.spec.teams_to_roles
          .filter(({ team }) => /\s/.test(team))
          .map(({ team }) => `the team "${quote(team)}" cannot be there: write its slug, as the address of its page has it`),
      ];
    case "oidc":
      return [
        ...withoutEffect(resource),
        ...(resource.spec.client_secret === undefined
          ? ["it has no client_secret, so the provider has to take it as a public client"]
          : []),
        ...(/\/\.well-known\//.test(resource.spec.issuer_url)
          ? ["issuer_url is the address before /.well-known/: nobody can sign in by it yet"]
          : []),
      ];
    case "saml":
      return [...withoutEffect(resource), ...samlRemarks(resource.spec)];
    case "cluster_maintenance_config": {
      const { weekdays, channels } = resource.spec.agent_upgrades;
      const every = Object.entries(channels ?? {}).filter(([, window]) => window.weekdays.length === 0);
      return [
        ...(weekdays.length === 0 ? ["no weekdays are named: it opens every day"] : []),
        ...every.map(([name]) => `no weekdays are named for the channel ${name}: its window opens every day`),
      ];
    }
    case "role":
      return remarksOnRole(isMapping(raw) ? raw["spec"] : undefined);
    case "user":
    case "rollout":
      return [];
  }
}

function remarksOnRole(spec: unknown): readonly string[] {
  const kept = withoutEffectIn(spec);
  return kept.length === 0 ? [] : [`kept, but without effect here: ${kept.join(", ")}`];
}

/** Names the keys that have no effect here. Files from elsewhere have some. */
function withoutEffect({ kind, spec }: ResourceOf<"oidc"> | ResourceOf<"github"> | ResourceOf<"saml">): readonly string[] {
  const known = keysOf({ oidc: oidcSpec, github: githubSpec, saml: samlKeys }[kind]);
  const others = Object.keys(beyondOf(spec)).map((key) => {
    const meant = nearest(key, known);
    return meant === undefined ? key : `${key} (did you mean ${meant}?)`;
  });
  return others.length === 0 ? [] : [`kept, but without effect here: ${others.join(", ")}`];
}

function exists({ kind, name, changedAt, changedBy }: Item): Fault {
  return new Fault("resource-exists", {
    message: `there is a ${kind} ${name} already, changed last by ${changedBy} at ${printInstant(changedAt)}`,
    hint: "`tctl create -f FILE` replaces it",
  });
}

type Overtaken = { readonly written: Resource; readonly stored: Item | undefined };

/** Says who changed it and when. Only the audit knows who deleted it. */
async function overtakenFault({ store }: AuthContext, { written, stored }: Overtaken): Promise<Fault> {
  const { kind, metadata } = written;
  const { name } = metadata;
  const [last] = stored === undefined ? await store.events({ kind, name, most: 1 }) : [];
  const what =
    stored !== undefined
      ? `${stored.changedBy} changed it at ${printInstant(stored.changedAt)}`
      : last === undefined
        ? "it is not there any more"
        : `${last.actor} deleted it at ${printInstant(last.at)}`;
  return new Fault("resource-overtaken", {
    message: `${kind} ${name} is not what it was when it was read: ${what}`,
    hint: `read it again, \`tctl get ${kind}/${name}\`, and make the change there; without metadata.revision it replaces whatever is there`,
  });
}
