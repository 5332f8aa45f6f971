import { readLine } from "../../rules/settings/read-text.ts";
import { listOf, mapping, needed, plain, type Form, type ValuesOf } from "./form.ts";
import { resourceName } from "./name.ts";
import { mostRoles } from "./user.ts";

const mostRows = 1000;

const text: Form<string> = plain(readLine, "one line of text");
const roles = needed(listOf(resourceName, mostRoles));

const teamKeys = { organization: needed(text), team: needed(text), roles };
const claimKeys = { name: needed(text), value: needed(text), roles };

const githubKeys = { teams_to_roles: needed(listOf(mapping(teamKeys), mostRows)) };
const samlKeys = { attributes_to_roles: needed(listOf(mapping(claimKeys), mostRows)) };
const oidcKeys = { claims_to_roles: needed(listOf(mapping(claimKeys), mostRows)) };

export const connectorKinds: readonly string[] = ["github", "saml", "oidc"];
/** Who has which roles: read whole, and nothing secret in them. */
export const mappedKeys: readonly string[] = [githubKeys, samlKeys, oidcKeys].flatMap((keys) => Object.keys(keys));

// How a provider is reached is kept as it is: nobody signs in by a connector yet.
export const githubSpec: Form<ValuesOf<typeof githubKeys>> = mapping(githubKeys, "kept");
export const samlSpec: Form<ValuesOf<typeof samlKeys>> = mapping(samlKeys, "kept");
export const oidcSpec: Form<ValuesOf<typeof oidcKeys>> = mapping(oidcKeys, "kept");
