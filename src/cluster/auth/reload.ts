import { Fault } from "../../rules/fault/fault.ts";
import { printHostPort } from "../../rules/route/host-port.ts";
import type { AuthConfiguration } from "../services/services.ts";

/** Refuses a reload, naming every setting that needs a restart. */
export function refuseWhatNeedsARestart(before: AuthConfiguration, after: AuthConfiguration): void {
  if (before.clusterName !== after.clusterName) {
    throw new Fault("configuration-invalid", {
      message: `auth_service.cluster_name is ${after.clusterName}, and this is the cluster ${before.clusterName}: a cluster keeps its name`,
      hint: "write the old one again; a new cluster takes another data_dir",
    });
  }
  const changed = [
    ...(printHostPort(before.listen) === printHostPort(after.listen) ? [] : ["listen_addr"]),
    ...(JSON.stringify(before.storage) === JSON.stringify(after.storage) ? [] : ["storage"]),
    ...(printHostPort(before.diagnostics) === printHostPort(after.diagnostics) ? [] : ["diag_addr"]),
  ].map((key) => `auth_service.${key}`);
  if (changed.length === 0) return;
  throw new Fault("configuration-invalid", {
    message: `a reload cannot change ${changed.join(" and ")}`,
    hint: "restart it for that: `sudo systemctl restart svc`",
  });
}
