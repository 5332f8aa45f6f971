import { expect } from "vitest";
import { familyOf } from "../../lab/base.ts";
import type { Host } from "../../lab/host.ts";
import { packageVersion } from "../../lab/package.ts";
import { configure, journalOfLastRun, runNow, schedule, tick } from "../../updater.ts";
import { expectRunning, lastPass } from "../../moves.ts";
import type { Chapter } from "../row.ts";
import { begin, openScene, type Scene } from "../scene.ts";

const available = "an upgrade is available (15.4.5 -> 15.4.6)\n";

/** In its last pass it found a reason to stay, did so, and told it in these lines. */
async function expectStayed(host: Host, why: string, golden?: string): Promise<void> {
  expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why } });
  await expectRunning(host, "15.4.5");
  const journal = await journalOfLastRun(host);
  if (golden !== undefined) await expect(`${journal.join("\n")}\n`).toMatchFileSnapshot(`golden/${golden}.txt`);
}

export const decides: Chapter<Scene> = {
  title: "decides",
  open: openScene,
  begin,
  rows: [
    {
      title: "tells an ordinary user what a pass would do, and nothing else, however the version is written",
      play: async ({ host, versions }) => {
        for (const version of ["v15.4.6", "15.4.6", "v15.4.6\n", "  15.4.6\r\n"]) {
          versions.serve("default", { version });
          const { status, stdout } = await host.run(["svc-upgrade", "dry-run"], { user: "ordinary" });
          expect([status, stdout]).toEqual([0, available]);
        }
        versions.serve("stable/cloud", { version: "15.4.6" });
        const cloud = await host.run(["svc-upgrade", "dry-run", "--channel", "stable/cloud"], { user: "ordinary" });
        expect(cloud.stdout).toBe(available);
      },
    },
    {
      title: "foresees what a pass would come to, and asks no repository for it",
      play: async ({ host, repository, versions, manners }) => {
        await schedule(host, "open");
        await host.mustRun(manners.refreshByHand.argv);
        const before = repository.server.requests.length;
        expect(await foreseen(host, "root")).toMatchObject({ kind: "possible", listsAt: expect.stringMatching(/Z$/) as string });
        const asUser =
          familyOf(host.suite) === "apt"
            ? { kind: "possible" }
            : { kind: "not-looked", told: expect.stringContaining("run it as root") as string };
        expect(await foreseen(host, "ordinary")).toMatchObject(asUser);
        versions.serve("default", { version: "v15.9.9" });
        const offered = ["15.4.6", "15.4.5"].map((version) => packageVersion(host, version)).join(", ");
        const message = `no repository of this host offers svc-ent 15.9.9; they offer ${offered}`;
        expect(await foreseen(host, "root")).toMatchObject({ kind: "refused", fault: { code: "not-offered", message } });
        const { stderr, status } = await host.run(["svc-upgrade", "dry-run"]);
        expect([status, stderr]).toEqual([0, expect.stringContaining(`a pass could not upgrade now: ${message}`)]);
        expect(repository.server.requests.slice(before)).toEqual([]);
        // What a pass says is what was foreseen.
        expect(await tick(host)).toBe(75);
        expect((await lastPass(host)).outcome).toMatchObject({ step: "offer", fault: { code: "not-offered", message } });
      },
    },
    {
      title: "says that a ca_file which root alone may read is closed to a pass, and what opens it",
      play: async ({ host, versions }) => {
        const ca = "/etc/svc-upgrade/own.pem";
        await host.copyIn(versions.authority.caFile, ca, { mode: "0600" });
        await configure(host, `endpoint: ${versions.httpsEndpoint}\nca_file: ${ca}\n`);
        versions.serve("default", { version: "v15.4.5" });
        const fix = `sudo chmod 0644 ${ca}`;
        const { status, stdout, stderr } = await host.run(["svc-upgrade", "dry-run"]);
        expect([status, stdout]).toEqual([0, "no upgrades available (15.4.5 == 15.4.5)\n"]);
        expect(stderr).toContain(
          `ca_file ${ca} was read as root, but svc-upgrade-ask.service, which asks in a pass, may not read it: \`${fix}\``,
        );
        expect((await host.run(["svc-upgrade", "doctor"])).stdout).toContain(`    ${fix}\n`);
        expect(await tick(host)).toBe(78);
        await host.mustRun(["sh", "-c", fix.replace("sudo ", "")]);
        expect((await host.run(["svc-upgrade", "dry-run"])).stderr).not.toContain("ca_file");
        expect(await tick(host)).toBe(0);
        await host.mustRun(["rm", ca]);
      },
    },
    {
      title: "warns of no valid schedule right after the installation, once in the passes of its timer",
      play: async ({ host, versions }) => {
        versions.serve("default", { version: "v15.4.5" });
        const warned =
          "no upgrades available (15.4.5 == 15.4.5); but no valid schedule: the file is missing, so an upgrade would wait: ";
        const warnings = async (): Promise<number> => {
          await host.mustRun(["journalctl", "--sync"]);
          const lines = await host.run(["journalctl", "--quiet", "-u", "svc-upgrade", "-p", "warning", "-o", "cat"]);
          return lines.stdout.split("\n").filter((line) => line.startsWith(warned)).length;
        };
        const before = await warnings();
        expect([await tick(host), await tick(host), await tick(host)]).toEqual([0, 0, 0]);
        expect(await warnings()).toBe(before + 1);
        const { stdout, stderr } = await host.run(["svc-upgrade", "run"]);
        expect([stdout, stderr]).toEqual(["no upgrades available (15.4.5 == 15.4.5)\n", expect.stringContaining(warned)]);
        expect(await warnings()).toBe(before + 2);
        expect((await host.run(["svc-upgrade", "dry-run"], { user: "ordinary" })).stderr).toContain(warned);
        expect((await host.run(["svc-upgrade", "status"])).stdout.replace(/\s+/g, " ")).toContain(
          "is missing an upgrade would wait: ",
        );
        await schedule(host, "closed");
        expect(await tick(host)).toBe(0);
        expect((await journalOfLastRun(host)).join("\n")).not.toContain("no valid schedule");
      },
    },
    {
      title: "says each sentence of a pass by hand once, off a terminal, and takes what commands share before the command",
      play: async ({ host, versions }) => {
        versions.serve("default", { version: "v15.4.5" });
        await schedule(host, "closed");
        const once = async (command: string, sentence: string): Promise<void> => {
          const { stdout } = await host.run(["sh", "-c", `${command} 2>&1`]);
          expect(stdout.split(sentence)).toHaveLength(2);
          expect(stdout.trimEnd().split("\n").at(-1)).toContain(sentence);
        };
        await once("svc-upgrade run", "no upgrades available (15.4.5 == 15.4.5)");
        versions.serve("default", { version: "v15.4.6" });
        await once("svc-upgrade run", "not now: outside the maintenance window, the next one opens at ");
        await once("svc-upgrade --log-level info run", "an upgrade is available (15.4.5 -> 15.4.6), not now");
        const json = await host.mustRun(["svc-upgrade", "--root", "/", "--json", "status"]);
        expect(JSON.parse(json)).toMatchObject({ schema: 1, installed: "15.4.5" });
      },
    },
    {
      title: "changes nothing on the host by a dry run",
      play: async ({ host }) => {
        // Whoever asks rpm's database, zypper, or the journal, as root leaves a trace in these; and what is laid down for a call goes again.
        const traces = ["/var/log/journal*", "/var/lib/rpm/rpmdb.sqlite-*", "/var/log/zypper.log", "/var/tmp"];
        const others = traces.map((path) => `-not -path '${path}'`).join(" ");
        const command = `find /etc /usr /var /run/svc-upgrade* -xdev ${others} -printf '%p %s %T@\\n' | sort`;
        const before = await host.mustRun(["sh", "-c", command]);
        expect((await host.run(["svc-upgrade", "dry-run"])).stdout).toBe(available);
        expect(await host.mustRun(["sh", "-c", command])).toBe(before);
      },
    },
    {
      title: "says which file it could not read and what helps, where only that file names the endpoint",
      play: async ({ host, versions }) => {
        await host.mustRun(["rm", "/etc/svc-upgrade/50-test.yaml"]);
        const text = `svc:\n  proxy_server: ${new URL(versions.httpsEndpoint).host}\n`;
        await host.write("/etc/svc.yaml", text, { mode: "0600" });
        const { status, stdout, stderr } = await host.run(["svc-upgrade", "dry-run"], { user: "ordinary" });
        expect([status, stdout]).toEqual([77, ""]);
        expect(stderr).toContain("/etc/svc.yaml");
        await expect(stderr).toMatchFileSnapshot("golden/config-unreadable.txt");
      },
    },
    {
      title: "says one line where there is nothing to do",
      play: async ({ host, versions }) => {
        versions.serve("default", { version: "v15.4.5" });
        expect(await tick(host)).toBe(0);
        await expectStayed(host, "current", "current");
      },
    },
    {
      title: "stays outside its window, and says until when",
      play: async ({ host }) => {
        const { start } = await schedule(host, "closed");
        expect(await tick(host)).toBe(0);
        await expectStayed(host, "outside-window", "outside-window");
        expect(await host.mustRun(["journalctl", "--quiet", "-u", "svc-upgrade", "-o", "cat"])).toContain(instant(start));
      },
    },
    {
      title: "stays without a valid schedule, and warns",
      play: async ({ host }) => {
        expect(await tick(host)).toBe(0);
        await expectStayed(host, "schedule-missing", "no-schedule");
      },
    },
    {
      title: "refuses an older version, unless the settings allow it",
      play: async ({ host, repository, versions }) => {
        await schedule(host, "open");
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");
        versions.serve("default", { version: "v15.4.5" });
        expect(await tick(host)).toBe(0);
        expect(await lastPass(host)).toMatchObject({ decision: { kind: "stay", why: "downgrade-refused" } });
        await expectRunning(host, "15.4.6");
        await configure(host, "downgrade: allow\n", "60-downgrade");
        expect((await runNow(host)).stdout).toBe("downgraded (15.4.6 -> 15.4.5)\n");
        await expectRunning(host, "15.4.5");
        expect(repository.server.requests.length).toBeGreaterThan(0);
      },
    },
    {
      title: "stays on hold until the hold is ended",
      play: async ({ host }) => {
        await schedule(host, "open");
        const held = await host.run(["svc-upgrade", "hold", "--reason", "audit"]);
        expect([held.status, held.stdout]).toEqual([0, "upgrades are on hold: audit\nto end it: sudo svc-upgrade unhold\n"]);
        expect(await tick(host)).toBe(0);
        await expectStayed(host, "held");
        const { stdout } = await host.run(["svc-upgrade", "unhold"]);
        expect(stdout).toBe("upgrades are not on hold any more; the next pass decides again\n");
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");
      },
    },
  ],
};

/** What a dry run of that user saw ahead of a move. */
async function foreseen(host: Host, user: string): Promise<unknown> {
  const { stdout } = await host.run(["svc-upgrade", "dry-run", "--json"], { user });
  return (JSON.parse(stdout) as { readonly simulated?: unknown }).simulated;
}

function instant(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
