import type { Permission } from "../access/permission.ts";
import type { Methods, Streams } from "../api/methods.ts";
import type { InstanceKind } from "../identity/names.ts";

/** Who may call a method. Its handler checks whatever depends on the request. */
export type Admission =
  /** Everybody who is connected directly: joining and renewing check the caller themselves. */
  | { readonly kind: "everybody" }
  /** Only root, at the socket on the auth host. */
  | { readonly kind: "root" }
  /** Instances of these kinds, root, and people. */
  | { readonly kind: "known"; readonly instances: readonly InstanceKind[] }
  /** Only instances of these kinds: the call is about the caller. */
  | { readonly kind: "instances"; readonly instances: readonly InstanceKind[] }
  /** People with this permission, and root. */
  | { readonly kind: "permitted"; readonly permission: Permission }
  /** People without a session, through a proxy. `proven`: with a proof of the call. */
  | { readonly kind: "visitors"; readonly proven: boolean }
  /** Only people: the call is about their own session. */
  | { readonly kind: "people" }
  /** People and root. The handler checks the permission, which depends on the request. */
  | { readonly kind: "judged" };

export const methods: Readonly<Record<`svc.v1.${keyof Methods | keyof Streams}`, Admission>> = {
  "svc.v1.JoinService/Join": { kind: "everybody" },
  "svc.v1.JoinService/Renew": { kind: "everybody" },
  "svc.v1.ClusterService/GetStatus": { kind: "known", instances: ["node", "proxy", "auth"] },
  "svc.v1.ClusterService/Backup": { kind: "root" },
  "svc.v1.ClusterService/RotateAuthority": { kind: "root" },
  "svc.v1.ResourceService/CreateResource": { kind: "judged" },
  "svc.v1.ResourceService/UpsertResource": { kind: "judged" },
  "svc.v1.ResourceService/GetResource": { kind: "judged" },
  "svc.v1.ResourceService/ListResources": { kind: "judged" },
  "svc.v1.ResourceService/DeleteResource": { kind: "judged" },
  "svc.v1.TokenService/CreateToken": { kind: "judged" },
  "svc.v1.TokenService/ListTokens": { kind: "permitted", permission: { kind: "token", verb: "list" } },
  "svc.v1.TokenService/DeleteToken": { kind: "permitted", permission: { kind: "token", verb: "delete" } },
  "svc.v1.InstanceService/ListInstances": { kind: "permitted", permission: { kind: "instance", verb: "list" } },
  "svc.v1.InstanceService/RemoveInstance": { kind: "permitted", permission: { kind: "instance", verb: "delete" } },
  "svc.v1.InstanceService/LabelInstance": { kind: "permitted", permission: { kind: "instance", verb: "update" } },
  "svc.v1.InventoryService/Report": { kind: "instances", instances: ["node", "proxy", "auth"] },
  "svc.v1.InventoryService/ListInventory": { kind: "permitted", permission: { kind: "instance", verb: "list" } },
  "svc.v1.SessionService/Greet": { kind: "visitors", proven: false },
  "svc.v1.SessionService/SignIn": { kind: "visitors", proven: true },
  "svc.v1.SessionService/BeginSignIn": { kind: "visitors", proven: true },
  "svc.v1.SessionService/AwaitSignIn": { kind: "visitors", proven: true },
  "svc.v1.SessionService/FinishSignIn": { kind: "visitors", proven: true },
  "svc.v1.SessionService/BeginSignInTest": { kind: "judged" },
  "svc.v1.SessionService/AwaitSignInTest": { kind: "judged" },
  "svc.v1.SessionService/VisitSignIn": { kind: "instances", instances: ["proxy"] },
  "svc.v1.SessionService/GetSession": { kind: "people" },
  "svc.v1.SessionService/SignOut": { kind: "people" },
  "svc.v1.SessionService/ListSessions": { kind: "judged" },
  "svc.v1.SessionService/RemoveSessions": { kind: "judged" },
  "svc.v1.InvitationService/CreateInvitation": { kind: "judged" },
  "svc.v1.InvitationService/ReadInvitation": { kind: "visitors", proven: false },
  "svc.v1.InvitationService/TakeInvitation": { kind: "visitors", proven: false },
  "svc.v1.ShellService/CertifyShell": { kind: "people" },
  "svc.v1.ShellService/OpenShell": { kind: "people" },
  "svc.v1.ShellService/CertifyHost": { kind: "instances", instances: ["node", "proxy", "auth"] },
  "svc.v1.ShellService/KeepShells": { kind: "instances", instances: ["proxy"] },
  "svc.v1.RolloutService/GetWords": { kind: "instances", instances: ["proxy"] },
  "svc.v1.RolloutService/ListRollouts": { kind: "permitted", permission: { kind: "rollout", verb: "list" } },
  "svc.v1.RolloutService/SteerRollout": { kind: "permitted", permission: { kind: "rollout", verb: "update" } },
  "svc.v1.AuditService/ListEvents": { kind: "permitted", permission: { kind: "audit", verb: "list" } },
};

export function admissionOf(method: string): Admission | undefined {
  return Object.hasOwn(methods, method) ? methods[method as keyof typeof methods] : undefined;
}
