import type { ShellRules } from "./shells.ts";
import { escalate, everything, type Permission } from "./permission.ts";

export type Rule = { readonly resources: readonly string[]; readonly verbs: readonly string[] };

export type Rules = {
  readonly allow: readonly Rule[];
  readonly deny: readonly Rule[];
  /** The logins of each role. */
  readonly shells?: readonly ShellRules[];
};

export type Role = Rules & { readonly name: string };

export type Verdict =
  | { readonly kind: "allowed"; readonly by: string }
  /** No role allows the permission. */
  | { readonly kind: "missing" }
  /** A role forbids the permission, whatever other roles allow. */
  | { readonly kind: "denied"; readonly by: string };

/** Whether somebody with these roles has the permission. Auth checks this at every call. One deny beats every allow. */
export function judge(roles: readonly Role[], wanted: Permission): Verdict {
  const denier = roles.find(({ deny }) => covers(deny, wanted, "deny"));
  if (denier !== undefined) return { kind: "denied", by: denier.name };
  const allower = roles.find(({ allow }) => covers(allow, wanted));
  return allower === undefined ? { kind: "missing" } : { kind: "allowed", by: allower.name };
}

/** `*` denies every verb, and allows every verb but `escalate`. */
export function covers(rules: readonly Rule[], { kind, verb }: Permission, side: "allow" | "deny" = "allow"): boolean {
  const hasVerb = (verbs: readonly string[]): boolean =>
    verb === escalate && side === "allow" ? verbs.includes(escalate) : hasWord(verbs, verb);
  return rules.some(({ resources, verbs }) => hasWord(resources, kind) && hasVerb(verbs));
}

function hasWord(words: readonly string[], word: string): boolean {
  return words.includes(word) || words.includes(everything);
}
