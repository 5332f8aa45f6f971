import { describe, expect, test } from "vitest";
import type { Suite } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario, type LabTest, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { expectRunning, lastPass } from "./moves.ts";
import { installedRelease, publishReleases, stepInHand } from "./releases.ts";
import { configure, outdatedHost, runNow, schedule, tick, withUpdater } from "./updater.ts";

/** Whoever patches the host at night, and not the agent: that one is the updater's. */
type Patcher = { readonly name: string; readonly besides: readonly string[]; readonly patch: (host: Host) => Promise<void> };

const unattendedUpgrades: Patcher = {
  name: "unattended-upgrades",
  besides: ["unattended-upgrades"],
  patch: async (host) => {
    await host.write(
      "/etc/apt/apt.conf.d/90lab",
      'Unattended-Upgrade::Origins-Pattern { "origin=Lab"; };\nUnattended-Upgrade::Package-Blacklist { "svc-ent$"; };\n',
    );
    await host.mustRun(["apt-get", "-qq", "update"]);
    await host.mustRun(["unattended-upgrade", "--verbose"], { timeoutMs: 300_000 });
  },
};

/** Debian's dnf has it as a module, without the program of two lines that starts it elsewhere. */
const dnfAutomatic: Patcher = {
  name: "dnf-automatic",
  besides: [],
  patch: async (host) => {
    await host.write(
      "/etc/dnf/automatic.conf",
      "[commands]\napply_updates = yes\n[emitters]\nemit_via = stdio\n[base]\nexcludepkgs = svc-ent\n",
    );
    const start = "import sys; from dnf.automatic.main import main; sys.exit(main(['--installupdates']))";
    await host.mustRun(["python3", "-c", start], { timeoutMs: 300_000 });
  },
};

const patched: readonly (readonly [Suite, Patcher])[] = [
  ["bookworm", unattendedUpgrades],
  ["yum", dnfAutomatic],
  ["bullseye", unattendedUpgrades],
  ["trixie", unattendedUpgrades],
];

function before(
  { suite, besides }: { readonly suite: Suite; readonly besides: readonly string[] },
  play: (stage: Stage) => Promise<void>,
): LabTest {
  return scenario(withUpdater({ suite, besides }), async (stage) => {
    await outdatedHost(stage);
    await publishReleases(stage.host, stage.repository);
    await play(stage);
  });
}

describe.each(patched)("on %s the updater's package is replaced at night", (suite, { name, besides, patch }) => {
  test(
    `by ${name}, in the middle of a pass and between two`,
    before({ suite, besides }, async ({ host }) => {
      await configure(host, "health: {settle: 25s}\n", "60-settle");
      const passing = runNow(host);
      await until("the agent is watched", 120_000, async () => ((await stepInHand(host)) === "health" ? true : undefined));
      await patch(host);
      expect(await installedRelease(host)).toBe("newer");
      expect((await passing).status).toBe(0);
      expect(await lastPass(host)).toMatchObject({ outcome: { kind: "moved" } });
      await expectRunning(host, "15.4.6");
      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "current" } });
    }),
  );
});
