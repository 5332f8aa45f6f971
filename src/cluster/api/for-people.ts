import type { Methods } from "./methods.ts";

/**
 * The methods that people call and proxies pass on. A test compares them with auth's admission. All other methods are for hosts, proxies or root.
 * OpenShell is not here, because it needs a stream, and the proxy tells auth when that ends.
 */
const methods: readonly (keyof Methods)[] = [
  "ClusterService/GetStatus",
  "ResourceService/CreateResource",
  "ResourceService/UpsertResource",
  "ResourceService/GetResource",
  "ResourceService/ListResources",
  "ResourceService/DeleteResource",
  "TokenService/CreateToken",
  "TokenService/ListTokens",
  "TokenService/DeleteToken",
  "InstanceService/ListInstances",
  "InstanceService/RemoveInstance",
  "InstanceService/LabelInstance",
  "InventoryService/ListInventory",
  "RolloutService/ListRollouts",
  "RolloutService/SteerRollout",
  "SessionService/Greet",
  "SessionService/SignIn",
  "SessionService/BeginSignIn",
  "SessionService/AwaitSignIn",
  "SessionService/FinishSignIn",
  "SessionService/BeginSignInTest",
  "SessionService/AwaitSignInTest",
  "SessionService/GetSession",
  "SessionService/SignOut",
  "SessionService/ListSessions",
  "SessionService/RemoveSessions",
  "InvitationService/CreateInvitation",
  "InvitationService/ReadInvitation",
  "InvitationService/TakeInvitation",
  "ShellService/CertifyShell",
  "AuditService/ListEvents",
];

const paths: ReadonlySet<string> = new Set(methods.map((method) => `/svc.v1.${method}`));

export function isForPeople(path: string): boolean {
  return paths.has(path);
}
