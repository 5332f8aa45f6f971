/** Lets its holders grant rights that they lack. `*` does not include it: a role has to name it. */
export const escalate = "escalate";

/** Actions on resources. In a role, `*` means all of them but `escalate`, and also those that a later release adds. */
export const verbs = {
  create: "make a new one",
  read: "see one",
  update: "change an existing one",
  delete: "take one away",
  list: "see which there are",
  secrets: "see the secrets in one, with read",
  escalate: "on role: grant rights that one lacks",
};
export type Verb = keyof typeof verbs;

/** The kinds that roles name. */
export const kinds = {
  role: "what its holders may do",
  user: "a person, and their roles",
  token: "what lets a host, a proxy or an auth service join",
  cluster_maintenance_config: "when agents move",
  github: "which roles members of GitHub teams have",
  saml: "which roles SAML attributes give",
  oidc: "which roles OIDC claims give",
  rollout: "which version which hosts are told, in stages",
  instance: "a host, a proxy or an auth service of the cluster",
  session: "that somebody is signed in",
  audit: "who changed what",
  ca: "the cluster's own certificate authority",
};
export type Kind = keyof typeof kinds;

/** The kinds whose changes the audit records. Reading the audit is no change. */
export type AuditKind = Exclude<Kind, "audit"> | "cluster";
export const auditKinds: readonly string[] = [...Object.keys(kinds).filter((kind) => kind !== "audit"), "cluster"];

/** In a rule: all kinds or verbs. In a permission: those that only a later release knows. */
export const everything = "*";

/** A kind and a verb. Roles keep a later release's words, which cover only themselves. */
export type Permission = { readonly kind: string; readonly verb: string };

export function tellPermission({ kind, verb }: Permission): string {
  return `${verb === everything ? "verbs of later releases" : verb} on ${kind === everything ? "kinds of later releases" : kind}`;
}
