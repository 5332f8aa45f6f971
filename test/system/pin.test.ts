import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { encodeRequest, type ActRequest } from "../../src/updater/act/request.ts";
import { settingsDigest } from "../../src/updater/act/settings-digest.ts";
import type { MoveReason } from "../../src/updater/plan/host-decision.ts";
import { settings } from "../updater/pass/given.ts";
import { buildAgent } from "./lab/agent.ts";
import { rpmSuites } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { packageVersion } from "./lab/package.ts";
import { expectRunning, lastPass } from "./moves.ts";
import { configure, journalOfLastRun, outdatedHost, runNow, schedule, tick, withUpdater } from "./updater.ts";

async function pin(host: Host, version: string): Promise<string> {
  const { status, stdout, stderr } = await host.run(["svc-upgrade", "pin", version, "--reason", "audit"]);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.replaceAll(/\s+/g, " ");
}

const away = { version: { status: 503, body: "down\n" } } as const;

describe.each(["bullseye", "bookworm", ...rpmSuites] as const)("a pinned host, on %s", (suite) => {
  test(
    "goes to the pinned version and stays there, whatever the channel serves or whether it answers",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host, repository, versions } = stage;
      await outdatedHost(stage);
      await repository.publish(await buildAgent(host, { version: "15.4.7" }));
      versions.serve("default", { version: "v15.4.7", critical: "yes" });

      // Forward, in the window alone, though what is served is critical.
      await schedule(host, "closed");
      expect(await pin(host, "15.4.6")).toMatch(/^the agent is pinned to 15\.4\.6: audit .* to end it: sudo svc-upgrade unpin $/);
      expect(await tick(host)).toBe(0);
      expect(await lastPass(host)).toMatchObject({ decision: { why: "outside-window" } });
      await expectRunning(host, "15.4.5");
      await schedule(host, "open");
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.6");
      expect(await tick(host)).toBe(0);
      expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "pinned" }, outcome: { kind: "stayed" } });
      expect(await journalOfLastRun(host)).toContain(
        "an upgrade is available (15.4.6 -> 15.4.7); pinned to 15.4.6: audit; the channel serves 15.4.7; lifted by: svc-upgrade unpin channel=default why=pinned",
      );
      expect((await runNow(host)).stdout).toBe(
        "an upgrade is available (15.4.6 -> 15.4.7); pinned to 15.4.6: audit; the channel serves 15.4.7; lifted by: svc-upgrade unpin\n",
      );
      await expectRunning(host, "15.4.6");

      // The server goes away: no fault of the host's, but told.
      versions.serve("default", away);
      expect(await tick(host)).toBe(75);
      expect(await lastPass(host)).toMatchObject({
        decision: { kind: "stay", why: "pinned" },
        outcome: { kind: "stayed" },
        unanswered: { code: "channel-failing" },
      });
      expect((await host.run(["svc-upgrade", "status"], { user: "ordinary" })).stdout).toMatch(
        /^Pinned: svc-ent 15\.4\.6 is installed and pinned; /,
      );

      // Back, once that is allowed, and without an answer.
      const refused = await host.run(["svc-upgrade", "pin", "15.4.5"]);
      expect([refused.status, refused.stdout]).toEqual([78, ""]);
      const allow = /; `(echo 'downgrade: allow' \| sudo tee \S+)`; then type this again/.exec(refused.stderr)?.[1] ?? "";
      await host.mustRun(["sh", "-ec", allow.replace("sudo ", "")]);
      expect(await pin(host, "15.4.5")).toContain("the next pass begins to downgrade to 15.4.5: 15.4.5 is pinned; ");
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.5");

      // What no repository offers is waited for; what a pass would refuse is refused at once.
      versions.serve("default", { version: "v15.4.7", critical: "yes" });
      await configure(host, "major: one-step\n", "60-major");
      const major = await host.run(["svc-upgrade", "pin", "17.0.0"]);
      expect(major.status).toBe(78);
      expect(major.stderr).toContain(
        "major: one-step refuses that; nothing was pinned; set `major: any` in /etc/svc-upgrade/60-major.yaml",
      );
      await pin(host, "15.4.9");
      expect(await tick(host)).toBe(75);
      expect(await lastPass(host)).toMatchObject({ outcome: { kind: "failed", fault: { code: "not-offered" } } });
      expect(await tick(host)).toBe(0);
      expect(await lastPass(host)).toMatchObject({ decision: { why: "backing-off" } });
      await expectRunning(host, "15.4.5");

      // And on with the channel.
      const unpinned = await host.run(["svc-upgrade", "unpin"]);
      expect([unpinned.status, unpinned.stderr]).toEqual([0, ""]);
      expect(unpinned.stdout.replaceAll(/\s+/g, " ")).toContain(
        "no version is pinned any more the next pass begins to upgrade to 15.4.7: the update is critical",
      );
      expect(await tick(host)).toBe(0);
      await expectRunning(host, "15.4.7");
      const again = await host.run(["svc-upgrade", "unpin"]);
      expect([again.status, again.stdout.startsWith("no version was pinned\n")]).toEqual([0, true]);
    }),
  );
});

/** Says each of its words to the acting unit, as whoever took over the deciding one could, and prints the answers. */
const forger = `use IO::Socket::UNIX;
my $unit = IO::Socket::UNIX->new("/run/svc-upgrade-act.socket") or die "not let in";
for my $asked (@ARGV) { print $unit "$asked\\n"; $unit->flush; print scalar <$unit>; }
`;

test(
  "a deciding unit that somebody took over can have no other version installed than the one that root has pinned",
  scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
    const { host, repository } = stage;
    await outdatedHost(stage);
    await repository.publish(await buildAgent(host, { version: "15.4.7" }));
    await schedule(host, "open");
    await host.write("/forger.pl", forger);
    // Else a pass has it opened.
    await host.mustRun(["systemctl", "start", "svc-upgrade-act.socket"]);
    const forge = async (version: string, why: MoveReason): Promise<string> => {
      const to = packageVersion(host, version) as Extract<ActRequest, { kind: "install" }>["to"];
      const begin: ActRequest = {
        kind: "begin",
        pass: randomUUID(),
        settings: settingsDigest(settings({ health: { settle: "1s" } })),
      };
      const words = [
        begin,
        { kind: "refresh" } as const,
        { kind: "bring", to } as const,
        { kind: "install", to, from: "offered", why } as const,
      ];
      const argv = ["perl", "/forger.pl", ...words.map(encodeRequest)];
      return (await host.run(argv, { user: "svc-upgrade", timeoutMs: 120_000 })).stdout.trim().split("\n").at(-1) ?? "";
    };
    await pin(host, "15.4.6");
    for (const why of ["window", "critical", "asked", "rollback"] as const) {
      expect(await forge("15.4.7", why)).toContain("does not install 15.4.7: 15.4.6 is pinned");
    }
    await schedule(host, "closed");
    expect(await forge("15.4.6", "critical")).toContain("does not install 15.4.6: outside the maintenance window");
    await expectRunning(host, "15.4.5");
    // That it is heard at all is seen without the pin.
    await host.mustRun(["svc-upgrade", "unpin"]);
    expect(JSON.parse(await forge("15.4.7", "critical"))).toMatchObject({ kind: "done" });
    expect(await host.mustRun(["dpkg-query", "-Wf", "${Version}", "svc-ent"])).toBe("15.4.7");
  }),
);
