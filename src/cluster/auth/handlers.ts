import type { DescMethodServerStreaming, DescMethodUnary, DescService, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { AuditService } from "../api/generated/svc/v1/audit_pb.ts";
import type { ClusterService } from "../api/generated/svc/v1/cluster_pb.ts";
import type { InstanceService } from "../api/generated/svc/v1/instance_pb.ts";
import type { InvitationService, SessionService } from "../api/generated/svc/v1/session_pb.ts";
import type { InventoryService } from "../api/generated/svc/v1/inventory_pb.ts";
import type { JoinService } from "../api/generated/svc/v1/join_pb.ts";
import type { ResourceService } from "../api/generated/svc/v1/resource_pb.ts";
import type { TokenService } from "../api/generated/svc/v1/token_pb.ts";
import type { Caller } from "./caller.ts";
import type { AuthContext, Handler } from "./context.ts";

/** A handler whose answer comes in pieces. */
export type StreamHandler<Request, Response> = (
  context: AuthContext,
  caller: Caller,
  request: Request,
) => AsyncIterable<Response>;

type HandlerOf<Method> =
  Method extends DescMethodUnary<infer Input, infer Output>
    ? Handler<MessageShape<Input>, MessageInitShape<Output>>
    : Method extends DescMethodServerStreaming<infer Input, infer Output>
      ? StreamHandler<MessageShape<Input>, MessageInitShape<Output>>
      : never;

/** What answers the methods of a service, by their names. */
export type HandlersOf<Service extends DescService> = {
  readonly [Name in keyof Service["method"]]: HandlerOf<Service["method"][Name]>;
};

/** Everything that auth answers. What is not there yet is `unimplemented` to whoever may call it. */
export type Handlers = {
  readonly join: Partial<HandlersOf<typeof JoinService>>;
  readonly cluster: Partial<HandlersOf<typeof ClusterService>>;
  readonly resource: HandlersOf<typeof ResourceService>;
  readonly token: Partial<HandlersOf<typeof TokenService>>;
  readonly instance: Partial<HandlersOf<typeof InstanceService>>;
  readonly inventory: Partial<HandlersOf<typeof InventoryService>>;
  readonly session: Partial<HandlersOf<typeof SessionService>>;
  readonly invitation: Partial<HandlersOf<typeof InvitationService>>;
  readonly audit: Partial<HandlersOf<typeof AuditService>>;
};
