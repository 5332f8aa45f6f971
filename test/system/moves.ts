import { expect } from "vitest";
import { agentProcess } from "./lab/agent.ts";
import type { Family } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { packageVersion } from "./lab/package.ts";
import { installedPackage } from "./lab/package-tools.ts";

/** What scenarios of all families ask of a host after a pass. */

type Fault = { readonly code: string; readonly message: string; readonly hint: string };

export type PassOutcome = {
  readonly decision: { readonly kind: string; readonly why?: string };
  readonly outcome: { readonly kind: string; readonly step?: string; readonly fault?: Fault };
};

/** The last pass, as the state has it. */
export async function lastPass(host: Host): Promise<PassOutcome> {
  const { passes } = JSON.parse(await host.read("/var/lib/svc-upgrade-decide/state.json")) as { passes: readonly PassOutcome[] };
  const [last] = passes;
  if (last === undefined) throw new Error("the state has no pass");
  return last;
}

/** The package and the code that runs are of that version, and the unit is up. */
export async function expectRunning(
  host: Host,
  version: string,
  inPackage: string = packageVersion(host, version),
): Promise<void> {
  expect(await installedPackage(host, "svc-ent")).toBe(inPackage);
  expect((await agentProcess(host))?.speaks).toContain(version);
  expect((await host.run(["systemctl", "is-active", "svc.service"])).stdout.trim()).toBe("active");
}

const hold: Readonly<Record<Family, readonly string[]>> = {
  apt: ["apt-mark", "hold"],
  yum: ["yum", "-q", "versionlock", "add"],
  zypper: ["zypper", "--non-interactive", "addlock"],
};

const holds: Readonly<Record<Family, readonly string[]>> = {
  apt: ["apt-mark", "showhold"],
  yum: ["yum", "-q", "versionlock", "list"],
  zypper: ["zypper", "--non-interactive", "locks"],
};

/** As an admin keeps a package where it is. */
export async function holdPackage(host: Host, name: string): Promise<void> {
  await host.mustRun([...hold[host.family], name]);
}

/** What the manager tells of its holds. */
export async function tellHolds(host: Host): Promise<string> {
  return host.mustRun(holds[host.family]);
}
