import { judge, type Role } from "../access/judge.ts";
import { escalate, everything, tellPermission, type Permission } from "../access/permission.ts";
import { everyShell } from "../access/shells.ts";
import { Fault } from "../../rules/fault/fault.ts";
import type { Caller } from "./caller.ts";

/** Root on the auth host may do everything: it could write into the store as well. */
const root: Role = {
  name: "root",
  allow: [{ resources: [everything], verbs: [everything, escalate] }],
  deny: [],
  shells: [everyShell],
};

/** The caller's roles. Hosts and proxies have none; the table of methods says what they may call. */
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

/** Names the missing permission, and the command with which root grants it. */
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

/** --set-roles replaces all roles, so the command must repeat those that stay. */
function howToChange(caller: Caller, more: readonly string[], without: string | undefined): string {
  if (caller.kind !== "person") return "";
  if (caller.connector !== "") {
    const change = without === undefined ? "add a role that allows it to" : `take ${without} from`;
    return `, and ${change} the row of the connector's mapping that fits you: \`sudo tctl edit ${caller.connector}\`; it counts from your next sign-in on`;
  }
  const roles = [...caller.roles.map(({ name }) => name).filter((name) => name !== without), ...more];
  if (roles.length === 0) return "";
  const what = without === undefined ? "give you a role that allows it" : "take that role from you";
  return `, and ${what}: \`sudo tctl users update ${caller.user} --set-roles=${roles.join(",")}\``;
}
