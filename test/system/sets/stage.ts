import { join } from "node:path";
import { expect } from "vitest";
import { exitStatus } from "../../../src/rules/fault/explain.ts";
import type { FaultCode } from "../../../src/rules/fault/table.ts";
import { buildAgent, installAgent } from "../lab/agent.ts";
import { breaking, buildCompanion, locked, membersIn, releaseFile } from "../lab/agent-set.ts";
import type { Host } from "../lab/host.ts";
import { packageVersion } from "../lab/package.ts";
import { refreshLists } from "../lab/package-tools.ts";
import { type Stage } from "../lab/scenario.ts";
import { expectRunning, lastPass } from "../moves.ts";
import { expectDatabase, expectSet } from "./whole.ts";
import { configure, installedVersion, schedule } from "../updater.ts";

/** How the two versions of a set are made: the first, and the one after it. */
export type Versions = {
  readonly older: (host: Host) => Promise<readonly string[]>;
  readonly newer: (host: Host) => Promise<readonly string[]>;
};

export const lockedVersions: Versions = {
  older: (host) => locked.build(host, { version: "15.4.5" }),
  newer: (host) => locked.build(host, { version: "15.4.6" }),
};

/** The older agent takes any libraries, and these break nothing. */
export const brokenVersions: Versions = {
  older: (host) =>
    Promise.all([
      buildAgent(host, { version: "15.4.5", depends: ["svc-ent-libs"] }),
      buildCompanion(host, { name: "svc-ent-libs", version: "15.4.5" }),
    ]),
  newer: (host) => breaking.build(host, { version: "15.4.6" }),
};

/** The older set is installed and runs, the newer one is there too and served. */
export async function outdatedSet(
  { host, repository, versions }: Stage,
  { older, newer }: Versions,
  settings = "",
): Promise<void> {
  // apt takes no companion's older version for one that nobody named, where there is a newer one.
  await repository.publish(...(await older(host)));
  await installAgent(host, "15.4.5");
  await repository.publish(...(await newer(host)));
  await refreshLists(host);
  versions.serve("default", { version: "v15.4.6" });
  await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\nhealth: {settle: 1s}\n${settings}`);
  await schedule(host, "open");
}

/** One version of the whole set, whole in the database and on the disk, and the agent runs it. */
export async function expectAt(host: Host, version: string, names: readonly string[] = locked.names): Promise<void> {
  const inPackage = packageVersion(host, version);
  await expectSet(host, names, inPackage);
  for (const name of names) if (name !== "svc-ent") expect(await host.read(releaseFile(name))).toBe(`${inPackage}\n`);
  await expectRunning(host, version);
}

export async function expectOutcome(host: Host, kind: "moved" | "undone", to: string): Promise<void> {
  expect(await lastPass(host)).toMatchObject({ outcome: { kind, to: packageVersion(host, to) } });
}

export function rollback(host: Host): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  return host.run(["svc-upgrade", "rollback"], { timeoutMs: 180_000 });
}

type Refusal = { readonly code: FaultCode; readonly why: RegExp };

/** A rollback that is refused changes nothing, and says why. */
export async function expectRollbackRefused(host: Host, names: readonly string[], { code, why }: Refusal): Promise<void> {
  const before = [await membersIn(host, names), await mainPid(host)];
  const { status, stderr } = await rollback(host);
  expect([status, stderr]).toEqual([exitStatus(code), expect.stringMatching(why)]);
  expect([await membersIn(host, names), await mainPid(host)]).toEqual(before);
  await expectDatabase(host);
}

export function mainPid(host: Host): Promise<string> {
  return host.mustRun(["systemctl", "show", "--property=MainPID", "--value", "svc.service"]);
}

export async function doctorOnPrevious(host: Host): Promise<{ readonly verdict: string; readonly told: string }> {
  const { stdout } = await host.run(["svc-upgrade", "doctor", "--json"]);
  const { checks } = JSON.parse(stdout) as { checks: readonly { name: string; verdict: string; told: string }[] };
  const found = checks.find(({ name }) => name === "previous");
  if (found === undefined) throw new Error("doctor has no check previous");
  return found;
}

/** The screen in one line. */
export async function screen(host: Host): Promise<string> {
  return (await host.mustRun(["svc-upgrade", "status"])).replace(/\s+/g, " ");
}

/** What passes have said that an administrator should hear. */
export function warnings(host: Host): Promise<string> {
  return host.mustRun(["journalctl", "--quiet", "--output=cat", "--priority=warning", "--unit=svc-upgrade.service"]);
}

/** `status` names the version as one that can be rolled back to. */
export const promises = (host: Host, version: string): RegExp => new RegExp(`rollback to ${packageVersion(host, version)}`);

/** `status` promises no rollback to 15.4.5, names no command that would lead there, and says what is in the way. */
export async function expectNoRollbackTold(host: Host, why: RegExp): Promise<void> {
  const told = await screen(host);
  expect(told).not.toMatch(promises(host, "15.4.5"));
  expect(told).not.toContain("svc-upgrade rollback");
  expect(told).toMatch(/no rollback to it/);
  expect(told).toMatch(why);
}

/** What the package manager has marked as there for others' sake alone; rpm's managers keep no mark in a transaction of files. */
export async function automatic(host: Host): Promise<string> {
  return host.family === "apt" ? host.mustRun(["apt-mark", "showauto", ...locked.names]) : "";
}

/** Which of the two rows rpm's database got last: a cut of the rollback leaves the older one so, and one of the way forth the newer. */
export type LastRow = "older" | "newer";

/** By an admin's hand, or a cut: dpkg has one unpacked and not configured, rpm's database has one twice. */
export async function breakCompanion({ host }: Stage, last: LastRow = "older"): Promise<void> {
  const directory = join(host.directory, "packages");
  const name = "svc-ent-bin";
  if (host.family === "apt") {
    const { stdout: architecture } = await host.enter(["dpkg", "--print-architecture"]);
    await host.copyIn(join(directory, `${name}_15.4.6_${architecture.trim()}.deb`), "/root/half-way.deb");
    await host.mustRun(["dpkg", "--unpack", "/root/half-way.deb"]);
    expect(await membersIn(host, [name])).toEqual([`${name} 15.4.6 unpacked`]);
    return;
  }
  // rpm writes the one version down before it strikes the other one out.
  if (last === "newer") await host.mustRun(["rpm", "--erase", "--justdb", "--noscripts", "--nodeps", name]);
  for (const version of last === "newer" ? ["15.4.5", "15.4.6"] : ["15.4.5"]) {
    await host.copyIn(await buildCompanion(host, { name, version }), "/root/half-way.rpm");
    await host.mustRun(["rpm", "--install", "--justdb", "--noscripts", "--force", "--nodeps", "/root/half-way.rpm"]);
  }
  expect(await membersIn(host, [name])).toHaveLength(2);
}

export async function isInstalled(host: Host, version: string): Promise<void> {
  const installed = (): Promise<string> => installedVersion(host).catch(() => "");
  await expect.poll(installed, { timeout: 120_000 }).toBe(packageVersion(host, version));
}
