import { equal, ok } from "node:assert/strict";
import { agentProcess } from "../system/lab/agent.ts";
import type { Host } from "../system/lab/host.ts";
import { packageVersion } from "../system/lab/package.ts";

/** What the package database has of the agent: every version, the broken ones too. */
export async function versionsIn(host: Host): Promise<readonly string[]> {
  const argv =
    host.family === "apt"
      ? ["dpkg-query", "--show", "--showformat", "${Version} ${db:Status-Status}\\n", "svc-ent"]
      : ["rpm", "--query", "--queryformat", "%{EVR} installed\\n", "svc-ent"];
  const { stdout } = await host.enter(argv);
  return stdout.trim().split("\n");
}

/** Exactly one version, whole; the package database itself in order; and the file that is in place is of that version. */
export async function expectWhole(host: Host, version: string): Promise<void> {
  const wanted = packageVersion(host, version);
  equal((await versionsIn(host)).join(", "), `${wanted} installed`);
  const audit = await host.enter(host.family === "apt" ? ["dpkg", "--audit"] : ["rpm", "--verifydb"]);
  equal(`${audit.status} ${audit.stdout}`, "0 ");
  if (host.family !== "apt") equal((await host.enter(["rpm", "--verify", "--noconfig", "svc-ent"])).stdout, "");
  expectSays((await host.enter(["/usr/bin/svc", "version"])).stdout, version);
}

/** The unit is up, and its process executes the very file that is installed. */
export async function expectRunning(host: Host, version: string): Promise<void> {
  const shown = await host.enter(["systemctl", "show", "--property=ActiveState,SubState", "--value", "svc.service"]);
  equal(shown.stdout, "active\nrunning\n");
  const agent = await agentProcess(host);
  ok(agent !== undefined, "the agent has no process");
  expectSays(agent.speaks, version);
  equal(agent.executable, "/usr/bin/svc");
}

function expectSays(said: string, version: string): void {
  ok(said.startsWith(`Svc Enterprise v${version} `), `the agent says "${said.trim()}" and not ${version}`);
}
