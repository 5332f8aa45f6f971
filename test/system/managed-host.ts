import { expect } from "vitest";
import { buildAgent, installAgent, type AgentOptions } from "./lab/agent.ts";
import type { Host } from "./lab/host.ts";
import type { Stage } from "./lab/scenario.ts";
import { manage, type Managing } from "./manage.ts";

/** A host with rpm packages whose manager's port is tried on the agent's package, and what is asked of it afterwards. */

export const v5 = "15.4.5-1";
export const v6 = "15.4.6-1";
export const v7 = "15.4.7-1";

/** A settings file that every version has, each with another text in it. */
export const conf: string = "/etc/svc.conf";
/** The agent with them. */
export const agent = (host: Host, version: string, more: Partial<AgentOptions> = {}): Promise<string> =>
  buildAgent(host, { version, conffiles: { [conf]: `${version}\n` }, ...more });

/** The agent at 15.4.5, and 15.4.6 in the repository. */
export async function managedHost({ host, repository }: Stage): Promise<Managing> {
  await repository.publish(await agent(host, "15.4.5"), await agent(host, "15.4.6"));
  await installAgent(host, "15.4.5");
  return manage(host);
}

/** The versions in rpm's database. */
export async function rows(host: Host): Promise<readonly string[]> {
  const { stdout } = await host.enter(["rpm", "-q", "--qf", "%{EVR}\\n", "svc-ent"]);
  return stdout.trim().split("\n");
}

/** One instance of it, every file as it is in the package, and the binary speaks of it. */
export async function expectWhole(host: Host, version: string): Promise<void> {
  expect(await rows(host)).toEqual([version]);
  expect(await host.mustRun(["rpm", "-V", "--nomtime", "svc-ent"])).toBe("");
  expect(await host.mustRun(["svc", "version"])).toContain(` v${version.replace(/-1$/, "")} `);
}

/** What the manager's port threw. */
export const fault = (code: string, says: string): unknown => ({
  fault: expect.objectContaining({ code, message: expect.stringContaining(says) as string }) as unknown,
});
