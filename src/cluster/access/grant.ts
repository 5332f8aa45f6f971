import { loginsBeyond } from "./shells.ts";
import { covers, judge, type Role, type Rule, type Rules } from "./judge.ts";
import { everything, kinds, verbs, type Permission } from "./permission.ts";

/** Joins the rules of several roles: a user's, or those of a connector's mapping. */
export function together(roles: readonly Rules[]): Required<Rules> {
  return {
    allow: roles.flatMap(({ allow }) => allow),
    deny: roles.flatMap(({ deny }) => deny),
    shells: roles.flatMap(({ shells = [] }) => shells),
  };
}

/** The rules before and after a change: of an edited role, of a user whose roles are replaced, of a new user. */
export type Grant = { readonly before: Rules; readonly after: Rules };

/** The rules of a user who does not exist yet, or no longer. */
export const nothing: Rules = { allow: [], deny: [] };

/** Returns the part of a grant that somebody with these roles lacks and so may not hand out. Empty if they may grant all of it. */
export function beyond(granter: readonly Role[], { before, after }: Grant): readonly Permission[] {
  return named([...granter, before, after])
    .filter((one) => isGained(one, { before, after }))
    .filter((one) => judge(granter, one).kind !== "allowed");
}

/** The same for logins, which no verb lets anybody grant beyond their own. */
export function loginsGiven(granter: readonly Role[], { before, after }: Grant): readonly string[] {
  return loginsBeyond(together(granter).shells, before.shells ?? [], after.shells ?? []);
}

/** Whatever other roles the user has: newly allowed, or no longer forbidden. */
function isGained(one: Permission, { before, after }: Grant): boolean {
  const isNewlyAllowed = covers(after.allow, one) && !covers(before.allow, one);
  const isNoLongerDenied = covers(before.deny, one, "deny") && !covers(after.deny, one, "deny");
  return isNewlyAllowed || isNoLongerDenied;
}

/** Every known kind and verb, those that these rules name, and `*` for all others. */
function named(all: readonly Rules[]): readonly Permission[] {
  const rules: readonly Rule[] = all.flatMap(({ allow, deny }) => [...allow, ...deny]);
  const everyKind = new Set([...Object.keys(kinds), everything, ...rules.flatMap(({ resources }) => resources)]);
  const everyVerb = new Set([...Object.keys(verbs), everything, ...rules.flatMap((rule) => rule.verbs)]);
  return [...everyKind].flatMap((kind) => [...everyVerb].map((verb) => ({ kind, verb })));
}
