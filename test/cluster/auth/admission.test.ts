import { expect, test } from "vitest";
import type { Role } from "../../../src/cluster/access/judge.ts";
import { admit } from "../../../src/cluster/auth/admit.ts";
import type { Caller } from "../../../src/cluster/auth/caller.ts";
import { methods } from "../../../src/cluster/auth/methods.ts";
import type { InstanceId, InstanceKind } from "../../../src/cluster/identity/names.ts";
import type { Thumbprint } from "../../../src/cluster/identity/proof.ts";
import { Fault } from "../../../src/rules/fault/fault.ts";

const id = "00000000-0000-4000-8000-000000000000" as InstanceId;
const address = "203.0.113.7";
const relayed = { proxy: id, address };
const key = "k".repeat(43) as Thumbprint;

const instance = (of: InstanceKind): Caller => ({ kind: "instance", of, id, serial: "1", from: 0, address });
const visitor = (proven: boolean): Caller => ({
  kind: "visitor",
  proof: proven ? { key, id: "p".repeat(22), made: 1 } : undefined,
  ...relayed,
});
const person = (allow: Role["allow"]): Caller => {
  const roles = [{ name: "own", allow, deny: [] }];
  return { kind: "person", user: "anna", roles, connector: "", session: "0123456789abcdef", key, ...relayed };
};

const callers = {
  root: { kind: "root", host: "auth1" },
  node: instance("node"),
  proxy: instance("proxy"),
  auth: instance("auth"),
  stranger: { kind: "stranger", address, why: "no-certificate", past: undefined },
  visitor: visitor(false),
  "visitor with a proof": visitor(true),
  "person without roles": person([]),
  "person who may all": person([{ resources: ["*"], verbs: ["*"] }]),
} as const satisfies Readonly<Record<string, Caller>>;
type Who = keyof typeof callers;

const here: readonly Who[] = ["root", "node", "proxy", "auth", "stranger"];
const instances: readonly Who[] = ["node", "proxy", "auth"];
const visitors: readonly Who[] = ["visitor", "visitor with a proof"];
const people: readonly Who[] = ["person without roles", "person who may all"];
const permitted: readonly Who[] = ["root", "person who may all"];

/** Who comes as far as the handler: written down once more, by hand. */
const table: Readonly<Record<string, readonly Who[]>> = {
  "JoinService/Join": here,
  "JoinService/Renew": here,
  "ClusterService/GetStatus": ["root", ...instances, ...people],
  "ClusterService/Backup": ["root"],
  "ClusterService/RotateAuthority": ["root"],
  "ResourceService/CreateResource": ["root", ...people],
  "ResourceService/UpsertResource": ["root", ...people],
  "ResourceService/GetResource": ["root", ...people],
  "ResourceService/ListResources": ["root", ...people],
  "ResourceService/DeleteResource": ["root", ...people],
  "TokenService/CreateToken": ["root", ...people],
  "TokenService/ListTokens": permitted,
  "TokenService/DeleteToken": permitted,
  "InstanceService/ListInstances": permitted,
  "InstanceService/RemoveInstance": permitted,
  "InstanceService/LabelInstance": permitted,
  "InventoryService/Report": instances,
  "InventoryService/ListInventory": permitted,
  "RolloutService/GetWords": ["proxy"],
  "RolloutService/ListRollouts": permitted,
  "RolloutService/SteerRollout": permitted,
  "SessionService/Greet": visitors,
  "SessionService/SignIn": ["visitor with a proof"],
  "SessionService/BeginSignIn": ["visitor with a proof"],
  "SessionService/AwaitSignIn": ["visitor with a proof"],
  "SessionService/FinishSignIn": ["visitor with a proof"],
  "SessionService/BeginSignInTest": ["root", ...people],
  "SessionService/AwaitSignInTest": ["root", ...people],
  "SessionService/VisitSignIn": ["proxy"],
  "SessionService/GetSession": people,
  "SessionService/SignOut": people,
  "SessionService/ListSessions": ["root", ...people],
  "SessionService/RemoveSessions": ["root", ...people],
  "InvitationService/CreateInvitation": ["root", ...people],
  "InvitationService/ReadInvitation": visitors,
  "InvitationService/TakeInvitation": visitors,
  "ShellService/CertifyShell": people,
  "ShellService/OpenShell": people,
  "ShellService/CertifyHost": instances,
  "ShellService/KeepShells": ["proxy"],
  "AuditService/ListEvents": permitted,
};

test("every method is in the table", () => {
  expect(
    Object.keys(table)
      .map((name) => `svc.v1.${name}`)
      .toSorted(),
  ).toEqual(Object.keys(methods).toSorted());
});

test.each(Object.entries(table))("%s is for its callers, and for no others", (method, admitted) => {
  const letIn = Object.entries(callers).filter(([, caller]) => whyNot(caller, method) === undefined);
  expect(letIn.map(([who]) => who).toSorted()).toEqual([...admitted].toSorted());
});

test.each([
  ["visitor", "ResourceService/GetResource", "session-ended"],
  ["visitor", "SessionService/SignOut", "session-ended"],
  ["visitor", "ClusterService/Backup", "access-denied"],
  ["visitor", "JoinService/Join", "access-denied"],
  ["person who may all", "ClusterService/Backup", "access-denied"],
  ["person who may all", "JoinService/Renew", "access-denied"],
  ["person who may all", "InventoryService/Report", "access-denied"],
  ["root", "InventoryService/Report", "access-denied"],
  ["person without roles", "AuditService/ListEvents", "access-denied"],
  ["stranger", "SessionService/Greet", "identity-refused"],
  ["proxy", "SessionService/SignIn", "access-denied"],
  ["root", "No/Method", "request-refused"],
] as const)("%s who calls %s hears %s", (who, method, code) => {
  expect(whyNot(callers[who], method)).toBe(code);
});

test("whoever lacks a verb hears which, and what root types", () => {
  try {
    admit(callers["person without roles"], "svc.v1.AuditService/ListEvents");
    expect.unreachable();
  } catch (thrown) {
    expect(thrown).toMatchObject({
      message: "none of your roles allows list on audit",
      hint: expect.stringContaining("`sudo tctl users update anna --set-roles=own,ROLE`"),
    });
  }
});

test("a person whose roles come from a connector hears where to add one", () => {
  const anna = { ...callers["person without roles"], connector: "oidc/okta" } as Caller;
  expect(() => admit(anna, "svc.v1.AuditService/ListEvents")).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/^(?!.*users update).*`sudo tctl edit oidc\/okta`/) }),
  );
});

function whyNot(caller: Caller, method: string): string | undefined {
  try {
    admit(caller, `svc.v1.${method}`);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.code : String(thrown);
  }
}
