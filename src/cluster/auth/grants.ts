import { beyond, loginsGiven, nothing, together, type Grant } from "../access/grant.ts";
import { judge, type Role } from "../access/judge.ts";
import { presets } from "../access/presets.ts";
import { escalate, tellPermission } from "../access/permission.ts";
import { Fault, type Wrong } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import type { Resource } from "../resource/resource.ts";
import { roleOf } from "../resource/rules.ts";
import type { Store } from "../storage/port.ts";
import { findRoles } from "./roles.ts";

/** Tells which permissions a change grants. Undefined if it grants none. */
export async function grantOf(
  written: Resource,
  stored: Resource | undefined,
  store: Pick<Store, "get">,
): Promise<Grant | undefined> {
  switch (written.kind) {
    case "role":
      return { before: stored?.kind === "role" ? roleOf(stored) : nothing, after: roleOf(written) };
    case "user": {
      const before = stored?.kind === "user" ? await findRoles(store, stored.spec.roles) : { found: [] };
      return { before: together(before.found), after: together((await namedRoles(written, store)).found) };
    }
    // A connector decides who signs in, so all its roles count as granted anew.
    case "github":
    case "saml":
    case "oidc":
      return { before: nothing, after: together((await namedRoles(written, store)).found) };
    case "cluster_maintenance_config":
    case "rollout":
      return undefined;
  }
}

/** Refuses a grant of permissions that the granter lacks. */
export function refuseEscalation(granter: readonly Role[], grant: Grant, { message, command }: Granting): void {
  refuseLogins(granter, grant, { message, command });
  const lacking = tellBeyond(granter, grant);
  if (lacking === undefined) return;
  throw new Fault("access-denied", {
    message: `${message} what your own roles do not allow: ${lacking}`,
    hint: `root can on the auth host: \`${command}\``,
  });
}

/** Refuses such a grant too, unless the granter has `escalate` on role. Then returns in words what exceeds the granter's rights. */
export function escalationIn(granter: readonly Role[], grant: Grant, granting: Granting): string | undefined {
  refuseLogins(granter, grant, granting);
  if (judge(granter, { kind: "role", verb: escalate }).kind !== "allowed") refuseEscalation(granter, grant, granting);
  return tellBeyond(granter, grant);
}

/** Only root may grant a login that the granter lacks; `escalate` does not help. */
function refuseLogins(granter: readonly Role[], grant: Grant, { message, command }: Granting): void {
  const logins = loginsGiven(granter, grant);
  if (logins.length === 0) return;
  throw new Fault("access-denied", {
    message: `${message} a login on hosts that your own roles do not give: ${logins
      .slice(0, mostTold)
      .map((one) => quote(one))
      .join(", ")}`,
    hint: `root can on the auth host: \`${command}\``,
  });
}

/** Undefined if the granter may grant all of it. */
function tellBeyond(granter: readonly Role[], grant: Grant): string | undefined {
  const lacking = beyond(granter, grant);
  const told = lacking.slice(0, mostTold).map(tellPermission).join(", ");
  if (lacking.length > mostTold) return `${told} and ${lacking.length - mostTold} more`;
  return lacking.length === 0 ? undefined : told;
}

/** The beginning of the message, and the command for root. */
export type Granting = { readonly message: string; readonly command: string };

const mostTold = 5;

/** Finds roles that do not exist: the later author of such a role would give it to people without knowing. */
export async function unknownRoles(written: Resource, store: Pick<Store, "get">): Promise<readonly Wrong[]> {
  const { unknown } = await namedRoles(written, store);
  if (unknown.length === 0) return [];
  const allowed = `roles that exist, for example ${presets.map(({ name }) => name).join(", ")}: \`tctl get role\` shows all`;
  return placesOfRoles(written)
    .filter(({ name }) => unknown.includes(name))
    .map(({ at, name }) => ({ at, found: `the role "${quote(name)}", which does not exist`, allowed }));
}

function namedRoles(written: Resource, store: Pick<Store, "get">): ReturnType<typeof findRoles> {
  return findRoles(
    store,
    placesOfRoles(written).map(({ name }) => name),
  );
}

type Place = { readonly at: string; readonly name: string };

/** Finds where a resource names roles that its holders have. */
export function placesOfRoles(resource: Resource): readonly Place[] {
  switch (resource.kind) {
    case "user":
      return placesIn(resource.spec.roles, ".spec.roles");
    case "github":
      return mapped(resource.spec.teams_to_roles, ".spec.teams_to_roles");
    case "saml":
      return mapped(resource.spec.attributes_to_roles, ".spec.attributes_to_roles");
    case "oidc":
      return mapped(resource.spec.claims_to_roles, ".spec.claims_to_roles");
    case "role":
    case "cluster_maintenance_config":
    case "rollout":
      return [];
  }
}

function mapped(rows: readonly { readonly roles: readonly string[] }[], at: string): readonly Place[] {
  return rows.flatMap(({ roles }, index) => placesIn(roles, `${at}[${index}].roles`));
}

function placesIn(names: readonly string[], at: string): readonly Place[] {
  return names.map((name, index) => ({ at: `${at}[${index}]`, name }));
}
