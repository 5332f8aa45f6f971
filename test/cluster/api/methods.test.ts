import { expect, test } from "vitest";
import type { Methods, Streams } from "../../../src/cluster/api/methods.ts";
import { methods } from "../../../src/cluster/auth/methods.ts";

/** The compiler holds it against the types, and the test against what auth answers. */
const names: Readonly<Record<keyof Methods | keyof Streams, true>> = {
  "JoinService/Join": true,
  "JoinService/Renew": true,
  "ClusterService/GetStatus": true,
  "ClusterService/Backup": true,
  "ClusterService/RotateAuthority": true,
  "ResourceService/CreateResource": true,
  "ResourceService/UpsertResource": true,
  "ResourceService/GetResource": true,
  "ResourceService/ListResources": true,
  "ResourceService/DeleteResource": true,
  "TokenService/CreateToken": true,
  "TokenService/ListTokens": true,
  "TokenService/DeleteToken": true,
  "InstanceService/ListInstances": true,
  "InstanceService/RemoveInstance": true,
  "InventoryService/Report": true,
  "InventoryService/ListInventory": true,
  "AuditService/ListEvents": true,
  "SessionService/Greet": true,
  "SessionService/SignIn": true,
  "SessionService/GetSession": true,
  "SessionService/SignOut": true,
  "SessionService/ListSessions": true,
  "SessionService/RemoveSessions": true,
  "InvitationService/CreateInvitation": true,
  "InvitationService/ReadInvitation": true,
  "InvitationService/TakeInvitation": true,
};

test("every method that auth answers can be called", () => {
  expect(
    Object.keys(names)
      .map((name) => `svc.v1.${name}`)
      .toSorted(),
  ).toEqual(Object.keys(methods).toSorted());
});
