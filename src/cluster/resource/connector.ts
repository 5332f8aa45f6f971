import { line } from "../../rules/settings/read-text.ts";
import { keysOf, listOf, record } from "../../rules/shape/shape.ts";
import { roleNames } from "./user.ts";

const mostRows = 1000;

const team = record({ organization: line, team: line, roles: roleNames });
const claim = record({ name: line, value: line, roles: roleNames });

// The keys for reaching a provider are kept as they are: nobody signs in by a connector yet.
const kept = { others: { kind: "kept" } } as const;
export const githubSpec = record({ teams_to_roles: listOf(team, mostRows) }, kept);
export const samlSpec = record({ attributes_to_roles: listOf(claim, mostRows) }, kept);
export const oidcSpec = record({ claims_to_roles: listOf(claim, mostRows) }, kept);

export const connectorKinds: readonly string[] = ["github", "saml", "oidc"];
/** The keys that map people to roles: read completely, and never secret. */
export const mappedKeys: readonly string[] = [githubSpec, samlSpec, oidcSpec].flatMap(keysOf);
