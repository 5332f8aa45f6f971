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

/** The rules before and after a change: of a role, of a user whose roles are replaced, or of a new user. */
export type Grant = { readonly before: Rules; readonly after: Rules };

/** The rules of a user who does not exist yet or no longer. */
export const nothing: Rules = { allow: [], deny: [] };

/** The permissions in a grant that a person with these roles lacks, and so may not give. Empty if they may grant all of it. */
export function beyond(granter: readonly Role[], { before, after }: Grant): readonly Permission[] {
  return named([...granter, before, after])
    .filter((one) => isGained(one, { before, after }))
    .filter((one) => judge(granter, one).kind !== "allowed");
}

/** The logins in a grant that the granter lacks. No verb lets anybody grant such a login. */
export function loginsGiven(granter: readonly Role[], { before, after }: Grant): readonly string[] {
  return loginsBeyond(together(granter).shells, before.shells ?? [], after.shells ?? []);
}

/** Whether the change newly allows this, or no longer forbids it, whatever other roles the user has. */
function isGained(one: Permission, { before, after }: Grant): boolean {
  const isNewlyAllowed = covers(after.allow, one) && !covers(before.allow, one);
  const isNoLongerDenied = covers(before.deny, one, "deny") && !covers(after.deny, one, "deny");
  return isNewlyAllowed || isNoLongerDenied;
}

/** All permissions to compare: every known kind and verb, those that these rules name, and `*` for all others. */
function named(all: readonly Rules[]): readonly Permission[] {
  const rules: readonly Rule[] = all.flatMap(({ allow, deny }) => [...allow, ...deny]);
  const everyKind = new Set([...Object.keys(kinds), everything, ...rules.flatMap(({ resources }) => resources)]);
  const everyVerb = new Set([...Object.keys(verbs), everything, ...rules.flatMap((rule) => rule.verbs)]);
  return [...everyKind].flatMap((kind) => [...everyVerb].map((verb) => ({ kind, verb })));
}
