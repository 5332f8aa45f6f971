import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { connectorRule, parseConnectorName } from "../resource/connector.ts";
import type { ResourceName } from "../resource/name.ts";
import { storedResource } from "../resource/resource.ts";
import type { Store } from "../storage/port.ts";
import { github } from "./github.ts";
import { oidc } from "./oidc.ts";
import type { BeginPorts, Claimed, Provider, ProviderPorts, Returned, Visit } from "./provider.ts";
import { saml } from "./saml.ts";

/** The kinds through which people sign in. */
const providers = { github, oidc, saml } as const;

export type SignInKind = keyof typeof providers;
const signInKinds: readonly SignInKind[] = Object.keys(providers) as SignInKind[];

export type Connector = { readonly kind: SignInKind; readonly name: ResourceName };

/** The kind of connector whose callback is at this path. */
export function kindAt(path: string): SignInKind | undefined {
  return signInKinds.find((kind) => providers[kind].isCallback(path));
}

/** The state in a callback. Auth sent it, and the provider returns it unchanged. */
export function stateIn(kind: SignInKind, query: string): string {
  return new URLSearchParams(query).get(providers[kind].state) ?? "";
}

/** Whether the provider returns the browser by a form. The cookie must then be sent from the provider's site too. */
export function isByForm(kind: SignInKind): boolean {
  return kind === "saml";
}

/** A connector as it is stored, with its provider. */
export type Ready = Connector & {
  readonly redirectUrl: string;
  /** The name that people see. */
  readonly display: string;
  /** Changes whenever the connector changes. */
  readonly revision: string;
  readonly begin: (ports: BeginPorts) => Promise<{ readonly url: string; readonly visit: Visit }>;
  readonly end: (ports: ProviderPorts, returned: Returned) => Promise<Claimed>;
};

type Reading = Pick<Store, "get">;

/** The connector that a person typed as NAME or KIND/NAME. Faults name the `command`. */
export async function connectorCalled(store: Reading, typed: string, command: string): Promise<Ready> {
  const asked = parseConnectorName(typed);
  if (asked === undefined) {
    throw new Fault("request-refused", { message: `"${quote(typed)}" cannot be a connector's name`, hint: connectorRule });
  }
  const kinds = signInKinds.filter((kind) => asked.kind === undefined || asked.kind === kind);
  const found = await Promise.all(kinds.map((kind) => readyAt(store, { kind, name: asked.name })));
  const [only, ...more] = found.filter((one) => one !== undefined);
  if (only === undefined) throw missing(quote(typed));
  if (more.length === 0) return only;
  const lines = [only, ...more].map(({ kind, name }) => `\`${command}${kind}/${name}\``);
  throw new Fault("request-refused", {
    message: `there are ${lines.length} connectors with the name ${asked.name}`,
    hint: `say which: ${lines.join(" or ")}`,
  });
}

/** Finds the connector that a sign-in began through. */
export async function connectorOf(store: Reading, connector: Connector): Promise<Ready> {
  const found = await readyAt(store, connector);
  if (found === undefined) throw missing(nameOf(connector));
  return found;
}

/** KIND/NAME. */
export function nameOf({ kind, name }: Connector): string {
  return `${kind}/${name}`;
}

async function readyAt(store: Reading, { kind, name }: Connector): Promise<Ready | undefined> {
  const item = await store.get({ kind, name });
  const reading = item === undefined ? undefined : storedResource(item.body);
  if (item === undefined || reading?.kind !== "read") return undefined;
  const { value } = reading;
  const { revision } = item;
  switch (value.kind) {
    case "github":
      return readyFrom({ kind, name, revision }, value.spec, github);
    case "oidc":
      return readyFrom({ kind, name, revision }, value.spec, oidc);
    case "saml":
      return readyFrom({ kind, name, revision }, { ...value.spec, redirect_url: value.spec.acs }, saml);
    default:
      return undefined;
  }
}

function readyFrom<Spec extends { readonly redirect_url: string; readonly display: string | undefined }>(
  { kind, name, revision }: Connector & Pick<Ready, "revision">,
  spec: Spec,
  provider: Provider<Spec>,
): Ready {
  return {
    kind,
    name,
    revision,
    redirectUrl: spec.redirect_url,
    display: spec.display ?? nameOf({ kind, name }),
    begin: (ports) => provider.begin(spec, ports),
    end: (ports, returned) => provider.end(spec, ports, returned),
  };
}

function missing(told: string): Fault {
  return new Fault("resource-missing", {
    message: `there is no connector ${told} through which people sign in`,
    hint: `the cluster's administrator knows which there are: \`tctl get ${signInKinds.join(",")}\``,
  });
}
