import { judge, type Role } from "../access/judge.ts";
import { everything, tellPermission, type Permission } from "../access/permission.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Caller } from "./caller.ts";

/** Nothing is beyond root on the auth host: it could write into the store as well. */
const root: Role = { name: "root", allow: [{ resources: [everything], verbs: [everything] }], deny: [] };

/** Certificates of hosts and proxies have no roles: what they may do stands in the table of methods. */
export function rolesOf(caller: Caller): readonly Role[] {
  switch (caller.kind) {
    case "root":
      return [root];
    case "person":
      return caller.roles;
    case "instance":
    case "visitor":
    case "stranger":
      return [];
  }
}

export function isAllowed(caller: Caller, wanted: Permission): boolean {
  return judge(rolesOf(caller), wanted).kind === "allowed";
}

export function requirePermission(caller: Caller, wanted: Permission): void {
  if (!isAllowed(caller, wanted)) throw refusedBy(caller, wanted);
}

/** Which verb on which kind, and what root types so that it is allowed the next time. */
export function refusedBy(caller: Caller, wanted: Permission): Fault {
  const verdict = judge(rolesOf(caller), wanted);
  if (verdict.kind === "denied") {
    return new Fault("access-denied", {
      message: `the role ${verdict.by} denies ${tellPermission(wanted)}, whatever other roles allow`,
      hint: `root can on the auth host, with tctl${howToChange(caller, [], verdict.by)}`,
    });
  }
  return new Fault("access-denied", {
    message: `none of your roles allows ${tellPermission(wanted)}`,
    hint: `root can on the auth host, with tctl${howToChange(caller, ["ROLE"], undefined)}; \`sudo tctl get role\` shows which role allows it`,
  });
}

/** All roles have to be named: those that are not are taken away. */
function howToChange(caller: Caller, more: readonly string[], without: string | undefined): string {
  if (caller.kind !== "person") return "";
  const roles = [...caller.roles.map(({ name }) => name).filter((name) => name !== without), ...more];
  if (roles.length === 0) return "";
  const what = without === undefined ? "give you a role that allows it" : "take that role from you";
  return `, and ${what}: \`sudo tctl users update ${caller.user} --set-roles=${roles.join(",")}\``;
}
