import { equal, ok } from "node:assert/strict";
import { agentProcess } from "../system/lab/agent.ts";
import { alone, membersIn, membersOfAny, releaseFile } from "../system/lab/agent-set.ts";
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

/**
 * Exactly one version of every member, whole; the package database itself in order; and the files that are in place are of that
 * version.
 */
export async function expectWhole(host: Host, version: string, members: readonly string[] = alone.names): Promise<void> {
  const wanted = packageVersion(host, version);
  const whole = members.map((name) => `${name} ${wanted} installed`);
  equal((await membersIn(host, membersOfAny)).join(", "), whole.toSorted().join(", "));
  const audit = await host.enter(host.family === "apt" ? ["dpkg", "--audit"] : ["rpm", "--verifydb"]);
  equal(`${audit.status} ${audit.stdout}`, "0 ");
  if (host.family !== "apt") equal((await host.enter(["rpm", "--verify", "--noconfig", ...members])).stdout, "");
  for (const name of members) if (name !== "svc-ent") equal(await host.read(releaseFile(name)), `${wanted}\n`);
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

/** What companions of the agent the package database has half-way, or twice. */
export async function halfWayCompanions(host: Host): Promise<readonly string[]> {
  const lines = await membersIn(
    host,
    membersOfAny.filter((name) => name !== "svc-ent"),
  );
  const nameOf = (line: string): string => line.slice(0, line.indexOf(" "));
  return lines.filter(
    (line, at) => !line.endsWith(" installed") || lines.findIndex((other) => nameOf(other) === nameOf(line)) !== at,
  );
}
