import { withBuilt } from "../built-package.ts";
import type { Host, HostOptions } from "../lab/host.ts";
import type { PreparedOptions } from "../lab/prepared.ts";
import type { ProgramResult } from "../lab/program.ts";

/** A cluster as a host's unit, out of its package. */

export const clusterPackage = "svc-ent";
export const unit = "svc.service";
/** What confines the unit, and explains what is left. */
export const dropIn = "10-svc-ent.conf";

/** Hosts that begin with svc-ent installed. */
export function withCluster<Options extends HostOptions>(options: Options): Options & PreparedOptions {
  return withBuilt(clusterPackage, options);
}

/** Auth and proxy of a cluster, with these keys below proxy_service as well. */
export function clusterFile(...keys: readonly string[]): string {
  const proxy = ["public_addr: proxy.example.com", ...keys].map((key) => `  ${key}\n`).join("");
  return `auth_service:\n  cluster_name: example.com\nproxy_service:\n${proxy}`;
}

export async function configure(host: Host, text: string): Promise<void> {
  await host.write("/etc/svc.yaml", text);
}

export async function runningCluster(host: Host): Promise<void> {
  await configure(host, clusterFile());
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", unit]);
}

export type UnitState = { readonly enabled: string; readonly active: string };

export async function unitState(host: Host): Promise<UnitState> {
  const [enabled, active] = [
    await host.enter(["systemctl", "is-enabled", unit]),
    await host.enter(["systemctl", "is-active", unit]),
  ];
  return { enabled: enabled.stdout.trim(), active: active.stdout.trim() };
}

export async function shown(host: Host, property: string): Promise<string> {
  return (await host.mustRun(["systemctl", "show", `--property=${property}`, "--value", unit])).trim();
}

export function tctl(host: Host, ...words: readonly string[]): Promise<string> {
  return host.mustRun(["tctl", ...words]);
}

/** The same where it may well be refused. */
export function tryTctl(host: Host, ...words: readonly string[]): Promise<ProgramResult> {
  return host.run(["tctl", ...words]);
}

/** By which the cluster is known: another one has another. */
export async function pin(host: Host): Promise<string> {
  const { ca_pins: pins } = JSON.parse(await tctl(host, "status", "--format", "json")) as { readonly ca_pins: readonly string[] };
  return pins.join();
}

/** A role that may set the cluster's maintenance window. */
export const maintenanceRole = `kind: role
version: v7
metadata:
  name: maintenance-manager
spec:
  allow:
    rules:
      - resources: [cluster_maintenance_config]
        verbs: [create, read, update, delete]
`;
