import { covers, judge, type Role, type Rule, type Rules } from "./judge.ts";
import { everything, kinds, verbs, type Permission } from "./permission.ts";

/** What roles say together: a user's, or those of a connector's mapping. */
export function together(roles: readonly Rules[]): Rules {
  return { allow: roles.flatMap(({ allow }) => allow), deny: roles.flatMap(({ deny }) => deny) };
}

/** The rules of somebody before and after: of a role that is edited, of a user whose roles are replaced, of one who is invited. */
export type Grant = { readonly before: Rules; readonly after: Rules };

/** The rules of whoever is not there yet, or no more. */
export const nothing: Rules = { allow: [], deny: [] };

/** Nobody grants what they lack: what of a grant somebody with these roles may not hand out. Empty: all of it may be. */
export function beyond(granter: readonly Role[], { before, after }: Grant): readonly Permission[] {
  return named([...granter, before, after])
    .filter((one) => isGained(one, { before, after }))
    .filter((one) => judge(granter, one).kind !== "allowed");
}

/** Whatever other roles somebody has: what is newly allowed, and what is forbidden no longer. */
function isGained(one: Permission, { before, after }: Grant): boolean {
  const isNewlyAllowed = covers(after.allow, one) && !covers(before.allow, one);
  const isNoLongerDenied = covers(before.deny, one) && !covers(after.deny, one);
  return isNewlyAllowed || isNoLongerDenied;
}

/** Every kind and verb that there is or that these rules name, and `*` for all others. */
function named(all: readonly Rules[]): readonly Permission[] {
  const rules: readonly Rule[] = all.flatMap(({ allow, deny }) => [...allow, ...deny]);
  const everyKind = new Set([...Object.keys(kinds), everything, ...rules.flatMap(({ resources }) => resources)]);
  const everyVerb = new Set([...Object.keys(verbs), everything, ...rules.flatMap((rule) => rule.verbs)]);
  return [...everyKind].flatMap((kind) => [...everyVerb].map((verb) => ({ kind, verb })));
}
