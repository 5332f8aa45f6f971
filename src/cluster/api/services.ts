import { AuditService } from "./generated/svc/v1/audit_pb.ts";
import { ClusterService } from "./generated/svc/v1/cluster_pb.ts";
import { InstanceService } from "./generated/svc/v1/instance_pb.ts";
import { InventoryService } from "./generated/svc/v1/inventory_pb.ts";
import { JoinService } from "./generated/svc/v1/join_pb.ts";
import { ResourceService } from "./generated/svc/v1/resource_pb.ts";
import { RolloutService } from "./generated/svc/v1/rollout_pb.ts";
import { InvitationService, SessionService } from "./generated/svc/v1/session_pb.ts";
import { ShellService } from "./generated/svc/v1/shell_pb.ts";
import { TokenService } from "./generated/svc/v1/token_pb.ts";

export const services = {
  AuditService,
  ClusterService,
  InstanceService,
  InventoryService,
  InvitationService,
  JoinService,
  ResourceService,
  RolloutService,
  SessionService,
  ShellService,
  TokenService,
};
export type Services = typeof services;
