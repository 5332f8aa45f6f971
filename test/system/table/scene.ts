import type { Manners } from "../families/family.ts";
import { mannersOf } from "../families/of-suite.ts";
import { agentProcess, buildAgent, installAgent } from "../lab/agent.ts";
import type { Host } from "../lab/host.ts";
import { packageVersion } from "../lab/package.ts";
import { installedPackage } from "../lab/package-tools.ts";
import { stageOn, type Stage } from "../lab/scenario.ts";
import { configure } from "../updater.ts";

/** What most rows of the table play on. */
export type Scene = Stage & { readonly manners: Manners };

const agentFile = "/root/svc-ent.package";

/** A host with the updater, the agent at 15.4.5, and a repository that has 15.4.6 too. No pass comes by itself. */
export async function openScene(host: Host): Promise<Scene> {
  const stage = await stageOn(host);
  const older = await buildAgent(host, { version: "15.4.5" });
  await stage.repository.publish(older, await buildAgent(host, { version: "15.4.6" }));
  await installAgent(host, "15.4.5");
  await keepAgent(host, older);
  return { ...stage, manners: mannersOf(host.suite) };
}

/** What `putBackAgent` will need; and no pass comes by itself from here on. */
export async function keepAgent(host: Host, file: string): Promise<void> {
  await host.copyIn(file, agentFile);
  await host.mustRun(["systemctl", "stop", "svc-upgrade.timer"]);
}

/** However the row before left the host: the agent at 15.4.5, 15.4.6 served, nothing else set, nothing remembered. */
export async function begin({ host, versions, manners }: Scene): Promise<void> {
  await forget(host);
  await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\nhealth: {settle: 1s}\n`);
  await restartAtOnce(host);
  versions.serve("default", { version: "v15.4.6" });
  await putBackAgent(host, manners);
}

/** An agent that rereads its configuration when it is told to reload is waited for, for nothing: seconds in every row. */
export async function restartAtOnce(host: Host): Promise<void> {
  await configure(host, "agent: {activate: restart}\n", withoutReload);
}

/** As it is shipped: a reload first, and a restart where that was not enough. */
export async function reloadFirst(host: Host): Promise<void> {
  await host.mustRun(["rm", `/etc/svc-upgrade/${withoutReload}.yaml`]);
}

const withoutReload = "40-without-reload";

export async function forget(host: Host): Promise<void> {
  const made = [
    "/etc/svc-upgrade/*.yaml",
    "/etc/svc-upgrade.d/schedule",
    "/var/lib/svc-upgrade/*",
    "/var/lib/svc-upgrade-decide/*",
    "/etc/svc.yaml",
    "/etc/default/svc",
  ];
  await host.mustRun(["sh", "-c", `rm -rf ${made.join(" ")}`]);
}

export async function putBackAgent(host: Host, manners: Manners): Promise<void> {
  const isInstalled = (await installedPackage(host, "svc-ent").catch(() => "")) === packageVersion(host, "15.4.5");
  if (isInstalled && (await agentProcess(host))?.speaks.includes("15.4.5") === true) return;
  await host.mustRun(manners.putBack(agentFile));
  await host.mustRun(["systemctl", "daemon-reload"]);
  await host.mustRun(["systemctl", "enable", "--quiet", "svc.service"]);
  await host.mustRun(["systemctl", "restart", "svc.service"]);
}
