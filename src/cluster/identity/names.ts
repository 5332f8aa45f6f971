declare const clusterIdBrand: unique symbol;
declare const instanceIdBrand: unique symbol;

/** A UUID in lower case, made with the cluster. */
export type ClusterId = string & { readonly [clusterIdBrand]: true };
/** A UUID in lower case, which auth makes for each instance that joins. */
export type InstanceId = string & { readonly [instanceIdBrand]: true };

export const instanceKinds = ["node", "proxy", "auth"] as const;
export type InstanceKind = (typeof instanceKinds)[number];

/** Whom a certificate names. */
export type Subject = { readonly cluster: ClusterId; readonly kind: InstanceKind; readonly id: InstanceId };

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const uuidPattern = new RegExp(`^${uuid}$`);
const uriPattern = new RegExp(`^svc://(?<cluster>${uuid})/(?<kind>node|proxy|auth)/(?<id>${uuid})$`);

export function parseClusterId(text: string): ClusterId | undefined {
  return uuidPattern.test(text) ? (text as ClusterId) : undefined;
}

export function parseInstanceId(text: string): InstanceId | undefined {
  return uuidPattern.test(text) ? (text as InstanceId) : undefined;
}

/** The name in auth's certificate. Clients send it by SNI and check it, whatever address they use. */
export function authServerName(cluster: ClusterId): string {
  return `auth.${cluster}.svc.internal`;
}

/** The SNI of an agent's tunnel to a proxy. The proxy answers it with its certificate of the cluster. */
export function tunnelServerName(cluster: ClusterId): string {
  return `tunnel.${cluster}.svc.internal`;
}

/** The SNI of a joining host that does not know the cluster's id yet. No certificate has this name, and nobody checks it. */
export const firstContactName = "auth.svc.internal";

/** The alternative name that identifies a certificate's owner. */
export function subjectUri({ cluster, kind, id }: Subject): string {
  return `svc://${cluster}/${kind}/${id}`;
}

export function parseSubjectUri(text: string): Subject | undefined {
  const found = uriPattern.exec(text)?.groups;
  return found === undefined ? undefined : (found as unknown as Subject);
}
