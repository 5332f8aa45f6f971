declare const clusterIdBrand: unique symbol;
declare const instanceIdBrand: unique symbol;

/** A UUID in lower case, made with the cluster. */
export type ClusterId = string & { readonly [clusterIdBrand]: true };
/** A UUID in lower case, made by auth when somebody joins. */
export type InstanceId = string & { readonly [instanceIdBrand]: true };

export const instanceKinds = ["node", "proxy", "auth"] as const;
export type InstanceKind = (typeof instanceKinds)[number];

/** Whose certificate it is. */
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

/** What auth's certificate is for, whatever address it is reached at: asked for by SNI, and checked. */
export function authServerName(cluster: ClusterId): string {
  return `auth.${cluster}.svc.internal`;
}

/** Asked for by SNI where the cluster's id is not known yet: by whoever joins. No certificate holds it, and none is judged by it. */
export const firstContactName = "auth.svc.internal";

/** The one alternative name of every certificate that says whose it is. */
export function subjectUri({ cluster, kind, id }: Subject): string {
  return `svc://${cluster}/${kind}/${id}`;
}

export function parseSubjectUri(text: string): Subject | undefined {
  const found = uriPattern.exec(text)?.groups;
  return found === undefined ? undefined : (found as unknown as Subject);
}
