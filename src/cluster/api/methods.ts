import type { ListEventsRequestJson, ListEventsResponseJson } from "./generated/svc/v1/audit_pb.ts";
import type {
  BackupRequestJson,
  BackupResponseJson,
  GetStatusRequestJson,
  GetStatusResponseJson,
  RotateAuthorityRequestJson,
  RotateAuthorityResponseJson,
} from "./generated/svc/v1/cluster_pb.ts";
import type {
  ListInstancesRequestJson,
  ListInstancesResponseJson,
  RemoveInstanceRequestJson,
  RemoveInstanceResponseJson,
} from "./generated/svc/v1/instance_pb.ts";
import type {
  ListInventoryRequestJson,
  ListInventoryResponseJson,
  ReportRequestJson,
  ReportResponseJson,
} from "./generated/svc/v1/inventory_pb.ts";
import type { JoinRequestJson, JoinResponseJson, RenewRequestJson, RenewResponseJson } from "./generated/svc/v1/join_pb.ts";
import type {
  CreateResourceRequestJson,
  CreateResourceResponseJson,
  DeleteResourceRequestJson,
  DeleteResourceResponseJson,
  GetResourceRequestJson,
  GetResourceResponseJson,
  ListResourcesRequestJson,
  ListResourcesResponseJson,
  UpsertResourceRequestJson,
  UpsertResourceResponseJson,
} from "./generated/svc/v1/resource_pb.ts";
import type {
  CreateInvitationRequestJson,
  CreateInvitationResponseJson,
  GetSessionRequestJson,
  GetSessionResponseJson,
  GreetRequestJson,
  GreetResponseJson,
  ListSessionsRequestJson,
  ListSessionsResponseJson,
  ReadInvitationRequestJson,
  ReadInvitationResponseJson,
  RemoveSessionsRequestJson,
  RemoveSessionsResponseJson,
  SignInRequestJson,
  SignInResponseJson,
  SignOutRequestJson,
  SignOutResponseJson,
  TakeInvitationRequestJson,
  TakeInvitationResponseJson,
} from "./generated/svc/v1/session_pb.ts";
import type {
  CreateTokenRequestJson,
  CreateTokenResponseJson,
  DeleteTokenRequestJson,
  DeleteTokenResponseJson,
  ListTokensRequestJson,
  ListTokensResponseJson,
} from "./generated/svc/v1/token_pb.ts";

type Method<Request, Response> = { readonly request: Request; readonly response: Response };

/** Every method that has one answer, as JSON has it. A test compares the names with the schema's. */
export type Methods = {
  readonly "JoinService/Join": Method<JoinRequestJson, JoinResponseJson>;
  readonly "JoinService/Renew": Method<RenewRequestJson, RenewResponseJson>;
  readonly "ClusterService/GetStatus": Method<GetStatusRequestJson, GetStatusResponseJson>;
  readonly "ClusterService/RotateAuthority": Method<RotateAuthorityRequestJson, RotateAuthorityResponseJson>;
  readonly "ResourceService/CreateResource": Method<CreateResourceRequestJson, CreateResourceResponseJson>;
  readonly "ResourceService/UpsertResource": Method<UpsertResourceRequestJson, UpsertResourceResponseJson>;
  readonly "ResourceService/GetResource": Method<GetResourceRequestJson, GetResourceResponseJson>;
  readonly "ResourceService/ListResources": Method<ListResourcesRequestJson, ListResourcesResponseJson>;
  readonly "ResourceService/DeleteResource": Method<DeleteResourceRequestJson, DeleteResourceResponseJson>;
  readonly "TokenService/CreateToken": Method<CreateTokenRequestJson, CreateTokenResponseJson>;
  readonly "TokenService/ListTokens": Method<ListTokensRequestJson, ListTokensResponseJson>;
  readonly "TokenService/DeleteToken": Method<DeleteTokenRequestJson, DeleteTokenResponseJson>;
  readonly "InstanceService/ListInstances": Method<ListInstancesRequestJson, ListInstancesResponseJson>;
  readonly "InstanceService/RemoveInstance": Method<RemoveInstanceRequestJson, RemoveInstanceResponseJson>;
  readonly "InventoryService/Report": Method<ReportRequestJson, ReportResponseJson>;
  readonly "InventoryService/ListInventory": Method<ListInventoryRequestJson, ListInventoryResponseJson>;
  readonly "AuditService/ListEvents": Method<ListEventsRequestJson, ListEventsResponseJson>;
  readonly "SessionService/Greet": Method<GreetRequestJson, GreetResponseJson>;
  readonly "SessionService/SignIn": Method<SignInRequestJson, SignInResponseJson>;
  readonly "SessionService/GetSession": Method<GetSessionRequestJson, GetSessionResponseJson>;
  readonly "SessionService/SignOut": Method<SignOutRequestJson, SignOutResponseJson>;
  readonly "SessionService/ListSessions": Method<ListSessionsRequestJson, ListSessionsResponseJson>;
  readonly "SessionService/RemoveSessions": Method<RemoveSessionsRequestJson, RemoveSessionsResponseJson>;
  readonly "InvitationService/CreateInvitation": Method<CreateInvitationRequestJson, CreateInvitationResponseJson>;
  readonly "InvitationService/ReadInvitation": Method<ReadInvitationRequestJson, ReadInvitationResponseJson>;
  readonly "InvitationService/TakeInvitation": Method<TakeInvitationRequestJson, TakeInvitationResponseJson>;
};

/** Those whose answer comes in pieces. */
export type Streams = { readonly "ClusterService/Backup": Method<BackupRequestJson, BackupResponseJson> };
