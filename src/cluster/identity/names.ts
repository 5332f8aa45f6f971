declare const clusterIdBrand: unique symbol;
declare const instanceIdBrand: unique symbol;

/** A UUID in lower case, made with the cluster. */
export type ClusterId = string & { readonly [clusterIdBrand]: true };
/** A UUID in lower case, which auth makes for each instance that joins. */
export type InstanceId = string & { readonly [instanceIdBrand]: true };

export const instanceKinds = ["node", "proxy", "auth"] as const;
export type InstanceKind = (typeof instanceKinds)[number];

/** The owner of a certificate. */
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

/** The name in auth's certificate, whatever address it is reached at: asked for by SNI, and checked. */
export function authServerName(cluster: ClusterId): string {
  return `auth.${cluster}.svc.internal`;
}

/** The SNI of an agent's tunnel to a proxy, which the proxy answers with its own certificate of the cluster. */
export function tunnelServerName(cluster: ClusterId): string {
  return `tunnel.${cluster}.svc.internal`;
}

/** The SNI of a host that joins and does not know the cluster's id yet. No certificate holds it, and no check uses it. */
export const firstContactName = "auth.svc.internal";

/** The only alternative name in a certificate that names its owner. */
export function subjectUri({ cluster, kind, id }: Subject): string {
  return `svc://${cluster}/${kind}/${id}`;
}

export function parseSubjectUri(text: string): Subject | undefined {
  const found = uriPattern.exec(text)?.groups;
  return found === undefined ? undefined : (found as unknown as Subject);
}
