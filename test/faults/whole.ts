import { deepEqual, equal, match, ok } from "node:assert/strict";
import { agentProcess } from "../system/lab/agent.ts";
import { alone, membersIn, membersOfAny, releaseFile, type AgentSet } from "../system/lab/agent-set.ts";
import { executablesOf } from "../system/lab/executables.ts";
import type { Host } from "../system/lab/host.ts";

/** What the package database has of the agent: every version, the broken ones too. */
export async function versionsIn(host: Host, { names: [name = ""] }: AgentSet = alone): Promise<readonly string[]> {
  const argv =
    host.family === "apt"
      ? ["dpkg-query", "--show", "--showformat", "${Version} ${db:Status-Status}\\n", name]
      : ["rpm", "--query", "--queryformat", "%{EVR} installed\\n", name];
  const { stdout } = await host.enter(argv);
  return stdout.trim().split("\n");
}

/**
 * Exactly one version of every member, whole; the package database itself in order; and the files that are in place are of that
 * version.
 */
export async function expectWhole(host: Host, version: string, set: AgentSet = alone): Promise<void> {
  const { names, binary } = set;
  const wanted = set.packageVersion(host, version);
  const whole = names.map((name) => `${name} ${wanted} installed`);
  equal((await membersIn(host, [...names, ...membersOfAny])).join(", "), whole.toSorted().join(", "));
  const audit = await host.enter(host.family === "apt" ? ["dpkg", "--audit"] : ["rpm", "--verifydb"]);
  equal(`${audit.status} ${audit.stdout}`, "0 ");
  deepEqual(await spoiltFiles(host, names), []);
  if (binary === undefined) return;
  for (const name of names) if (name !== "svc-ent") equal(await host.read(releaseFile(name)), `${wanted}\n`);
  expectSays((await host.enter([binary, "version"])).stdout, version);
}

/** Those that are not as their package has them; an admin's own do not count. */
async function spoiltFiles(host: Host, names: readonly string[]): Promise<readonly string[]> {
  const verify = host.family === "apt" ? ["dpkg", "--verify"] : ["rpm", "--verify", "--noconfig"];
  const { stdout } = await host.enter([...verify, ...names]);
  return stdout.split("\n").filter((line) => line !== "" && !/^\S+ +c /.test(line));
}

/** The unit is up, and its process executes the very file that is installed. */
export async function expectRunning(host: Host, version: string, { unit, binary }: AgentSet = alone): Promise<void> {
  const shown = await host.enter(["systemctl", "show", "--property=ActiveState,SubState", "--value", unit]);
  equal(shown.stdout, "active\nrunning\n");
  if (binary === undefined) {
    for (const executable of await executablesOf(host, unit)) match(executable, /^\/(?!.*\(deleted\)$)/);
    return;
  }
  const agent = await agentProcess(host);
  ok(agent !== undefined, "the agent has no process");
  expectSays(agent.speaks, version);
  equal(agent.executable, binary);
}

function expectSays(said: string, version: string): void {
  ok(said.startsWith(`Svc Enterprise v${version} `), `the agent says "${said.trim()}" and not ${version}`);
}

/** What companions of the agent the package database has half-way, or twice. */
export async function halfWayCompanions(host: Host, { names: [own, ...others] }: AgentSet): Promise<readonly string[]> {
  const lines = await membersIn(
    host,
    [...others, ...membersOfAny].filter((name) => name !== own),
  );
  const nameOf = (line: string): string => line.slice(0, line.indexOf(" "));
  return lines.filter(
    (line, at) => !line.endsWith(" installed") || lines.findIndex((other) => nameOf(other) === nameOf(line)) !== at,
  );
}
