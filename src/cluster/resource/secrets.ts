import { isMapping, type Mapping } from "../../rules/shape/reading.ts";
import { connectorKinds, mappedKeys } from "./connector.ts";

/** The keys of a connector that every reader may see. Any other key may be a secret, whatever its name. */
const shownKeys: ReadonlySet<string> = new Set(
  [
    "kind version metadata name revision spec display provider",
    "client_id redirect_url endpoint_url api_endpoint_url client_redirect_settings",
    "allowed_https_hostnames insecure_allowed_cidr_ranges",
    "issuer sso cert acs audience service_provider_issuer entity_descriptor entity_descriptor_url",
    "signing_key_pair assertion_key_pair allow_idp_initiated single_logout_url force_authn",
    "issuer_url scope prompt acr_values username_claim max_age allow_unverified_email",
  ].flatMap((names) => names.split(" ")),
);

/** Removes secrets, for a reader who did not ask for them or may not see them. */
export function withoutSecrets(resource: Mapping): Mapping {
  return isConnector(resource) ? shownOf(resource) : resource;
}

function shownOf(value: Mapping): Mapping {
  const shown = Object.entries(value).filter(([name, item]) => !isSecret(name, item));
  return Object.fromEntries(shown.map(([name, item]) => [name, isMapping(item) ? shownOf(item) : item]));
}

/** Keeps the stored secrets when somebody writes a resource back that was read without them. */
export function keepingSecrets(written: unknown, stored: Mapping): unknown {
  return isConnector(stored) ? keepingIn(written, stored) : written;
}

/** The keys that say where a connector's secret is sent. */
const destinations = ["issuer_url", "endpoint_url", "api_endpoint_url"] as const;

/** The key of an address that the writer changes while the stored secret stays, so that the secret would be sent there. */
export function redirectsSecret(written: unknown, stored: Mapping): string | undefined {
  const [after, before] = [specIn(written), specIn(stored)];
  const isKept = Object.hasOwn(before, "client_secret") && !Object.hasOwn(after, "client_secret");
  return isConnector(stored) && isKept ? destinations.find((name) => own(before, name) !== own(after, name)) : undefined;
}

function specIn(resource: unknown): Mapping {
  const spec = isMapping(resource) ? resource["spec"] : undefined;
  return isMapping(spec) ? spec : {};
}

function keepingIn(written: unknown, stored: unknown): unknown {
  if (!isMapping(written) || !isMapping(stored)) return written;
  const kept = Object.entries(stored).filter(([name, item]) => isSecret(name, item) && !Object.hasOwn(written, name));
  const items = Object.entries(written).map(([name, item]) => [name, keepingIn(item, own(stored, name))]);
  return Object.fromEntries([...items, ...kept]);
}

function isConnector({ kind }: Mapping): boolean {
  return connectorKinds.some((one) => one === kind);
}

/** Whether the value is a secret. A list is shown whole or not at all, because no part of it can be kept. */
function isSecret(name: string, value: unknown): boolean {
  if (mappedKeys.includes(name)) return false;
  return !shownKeys.has(name) || (Array.isArray(value) && value.some((item) => typeof item === "object"));
}

function own(mapping: Mapping, name: string): unknown {
  return Object.hasOwn(mapping, name) ? mapping[name] : undefined;
}
