import { expect } from "vitest";
import { membersIn } from "../lab/agent-set.ts";
import type { Host } from "../lab/host.ts";

/** What is asked of packages that are moved together. */

/** All of them at one version and whole, and the package database in order. */
export async function expectSet(host: Host, names: readonly string[], packageVersion: string): Promise<void> {
  expect(await membersIn(host, names)).toEqual(names.map((name) => `${name} ${packageVersion} installed`).toSorted());
  await expectDatabase(host);
}

/** Nothing is half-way, and nothing lacks what it needs. */
export async function expectDatabase(host: Host): Promise<void> {
  const checks =
    host.family === "apt" ? ["dpkg --audit", "apt-get -qq check"] : ["rpm --verifydb", "rpm --verify --all --nofiles"];
  for (const check of checks) {
    const { status, stdout } = await host.run(["sh", "-c", check]);
    expect([check, status, stdout]).toEqual([check, 0, ""]);
  }
}
