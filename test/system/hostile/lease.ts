import { leaseProgram } from "../../machine/files/lease.ts";
import type { Host } from "../lab/host.ts";
import { until } from "../lab/until.ts";

const unit = "lease";
const held = "/run/lease-held";

/** The ordinary user takes a lease on files of its own, and keeps it until `endLease`. */
export async function takeLease(host: Host, ...paths: readonly string[]): Promise<void> {
  const flags = ["--quiet", "--collect", `--unit=${unit}`, "--uid=ordinary", `--property=StandardOutput=file:${held}`];
  await host.mustRun(["rm", "--force", held]);
  await host.mustRun(["systemd-run", ...flags, "perl", "-e", leaseProgram.replaceAll("$", "$$$$"), ...paths]);
  await until("the lease is held", 10_000, async () => ((await host.enter(["cat", held])).stdout === "held" ? true : undefined));
}

export async function endLease(host: Host): Promise<void> {
  await host.mustRun(["systemctl", "stop", unit]);
}
