import { expect } from "vitest";
import type { Host } from "../lab/host.ts";
import type { Stage } from "../lab/scenario.ts";
import { expectRunning } from "../moves.ts";
import { installedVersion, outdatedHost, schedule, stopTimer, tick } from "../updater.ts";

/** Something hostile on the host: who makes it, how the next pass must end, and what it must say. */
export type Case = {
  readonly title: string;
  /** A shell script. */
  readonly make: string;
  readonly by?: "root" | "ordinary";
  readonly status: number;
  readonly says: RegExp;
};

/** What hostile code would leave behind if it ever ran, as whoever. */
export const planted = "/tmp/planted-ran";
const secret = "planted-secret";
const units = ["--unit=svc-upgrade", "--unit=svc-upgrade-ask"];

/** A host whose schedule belongs to the agent's user, outside its window: what a pass would do shows in what it says. */
export async function hostileHost(stage: Stage): Promise<void> {
  const { host } = stage;
  await outdatedHost(stage);
  await stopTimer(host);
  // The first line is what a parser would quote.
  await host.mustRun(["sed", "-i", `1i ${secret}:$y$j9T$hash:20000:0:99999:7:::`, "/etc/shadow"]);
  await mendSchedule(host);
}

/** The agent's own directory, with the schedule as its agent exports it. */
export async function mendSchedule(host: Host): Promise<void> {
  await host.mustRun(["sh", "-c", "rm -rf /etc/svc-upgrade.d && mkdir /etc/svc-upgrade.d"]);
  await schedule(host, "closed");
  await host.mustRun(["chown", "-R", "ordinary:", "/etc/svc-upgrade.d"]);
}

/** Makes each, lets a pass meet it, repairs it again, and sees that the next pass is as if nothing had been. */
export async function meet({ host }: Stage, cases: readonly Case[], mend: (host: Host) => Promise<void>): Promise<void> {
  for (const { title, make, by = "root", status, says } of cases) {
    await host.mustRun(["sh", "-c", make], { user: by });
    const met = await pass(host);
    expect([title, met.status, met.said]).toEqual([title, status, expect.stringMatching(says)]);
    expect([title, met.said.includes("\u001B")]).toEqual([title, false]);
    await mend(host);
    const after = await pass(host);
    expect([title, after.status, after.said]).toEqual([title, 0, expect.stringContaining("outside the maintenance window")]);
  }
  await expectHarmless(host);
}

/** Nothing was executed, moved or told. */
async function expectHarmless(host: Host): Promise<void> {
  expect((await host.run(["test", "-e", planted])).status).toBe(1);
  expect(await installedVersion(host)).toBe("15.4.5");
  const journal = ["journalctl", "--all", "--quiet", "--output=export", ...units];
  const told = (await host.mustRun(journal)) + (await host.read("/var/lib/svc-upgrade-decide/state.json"));
  expect(told).toContain("outside the maintenance window");
  expect(told).not.toContain(secret);
}

/** The way of all upgrades still works. */
export async function expectUpgrade(host: Host): Promise<void> {
  await schedule(host, "open");
  expect(await tick(host)).toBe(0);
  await expectRunning(host, "15.4.6");
}

type Pass = { readonly status: number; readonly said: string };

/** A pass that hangs ends in an error: a tick has a deadline, longer than all that a pass waits for. */
export async function pass(host: Host): Promise<Pass> {
  const cursor = (await host.mustRun(["journalctl", "--quiet", "--lines=0", "--show-cursor"])).replace("-- cursor: ", "").trim();
  const status = await tick(host);
  await host.mustRun(["journalctl", "--sync"]);
  const said = await host.mustRun(["journalctl", "--quiet", "--output=cat", ...units, `--after-cursor=${cursor}`]);
  return { status, said };
}
