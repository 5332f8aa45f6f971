import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildAgent } from "./lab/agent.ts";
import { downloadPackage } from "./lab/debian-package.ts";
import type { Host } from "./lab/host.ts";
import { mustRun } from "./lab/program.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { configure, outdatedHost, schedule, withUpdater } from "./updater.ts";

type Check = { readonly name: string; readonly verdict: string; readonly told: string; readonly fix?: string };
type Answer = { readonly schema: number; readonly checks: readonly Check[]; readonly failed: number; readonly warnings: number };

const names =
  "settings route proxy dns tls channel answer schedule package manager offer previous disk agent binary timer clock rivals";
const caFile = "/etc/ssl/lab-ca.pem";

async function examine(host: Host, user: string = "root"): Promise<Answer & { readonly status: number }> {
  const { status, stdout } = await host.run(["svc-upgrade", "doctor", "--json"], { user });
  return { status, ...(JSON.parse(stdout) as Answer) };
}

async function look(host: Host, name: string): Promise<Check> {
  const found = (await examine(host)).checks.find((check) => check.name === name);
  if (found === undefined) throw new Error(`doctor has no check ${name}`);
  return found;
}

/** As an admin types it: the whole line that stands below the check on the screen. */
async function typeFix(host: Host, { name, fix }: Check): Promise<void> {
  const { stdout } = await host.run(["svc-upgrade", "doctor"]);
  const lines = stdout.split("\n");
  const line = lines.slice(lines.findIndex((found) => found.split(/ +/)[1] === name)).find((found) => /^ {4}\S/.test(found));
  expect(line?.trim()).toBe(fix);
  await host.mustRun(["sh", "-c", line ?? "false"]);
}

/** A host on which all is well, and which `sudo` may be typed on. */
async function healthyHost(stage: Stage): Promise<void> {
  const { host, versions } = stage;
  await outdatedHost(stage);
  await host.copyIn(versions.authority.caFile, caFile);
  await configure(host, `endpoint: ${versions.httpsEndpoint}\nca_file: ${caFile}\n`);
  await schedule(host, "open");
  await host.write("/usr/local/bin/sudo", '#!/bin/sh\nexec "$@"\n', { mode: "0755" });
}

/** An HTTP CONNECT proxy that lets nobody through. */
async function refusingProxy(host: Host): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"));
  }).listen(0, host.network.outerAddress);
  await once(server, "listening");
  host.atStop(async () => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Debian's own program and settings; its timer, which hosts of the lab are without, goes again. */
async function installUnattendedUpgrades(host: Host): Promise<void> {
  const tree = join(host.directory, "unattended-upgrades");
  await mustRun(["dpkg-deb", "-x", await downloadPackage(host, "unattended-upgrades"), tree]);
  const copies = [
    ["usr/bin/unattended-upgrade", "/usr/bin/unattended-upgrade"],
    ["usr/share/unattended-upgrades/20auto-upgrades", "/etc/apt/apt.conf.d/20auto-upgrades"],
    ["usr/share/unattended-upgrades/50unattended-upgrades", "/etc/apt/apt.conf.d/50unattended-upgrades"],
  ] as const;
  for (const [from, to] of copies) await host.write(to, await readFile(join(tree, from)), { mode: "0755" });
  await host.mustRun(["rm", "/etc/systemd/system/apt-daily-upgrade.timer"]);
  await host.mustRun(["systemctl", "daemon-reload"]);
  await host.mustRun(["systemctl", "start", "apt-daily-upgrade.timer"]);
}

type Row = {
  readonly title: string;
  readonly check: string;
  readonly make: (stage: Stage) => Promise<unknown>;
  readonly verdict: "failed" | "warning";
  readonly says: readonly string[];
  /** Once the fix was typed; a way that leads past a proxy has none that could be proved. */
  readonly after?: "ok" | "skipped";
  readonly undo?: (stage: Stage) => Promise<unknown>;
};

const weekSeconds = 7 * 86_400;

const rows: readonly Row[] = [
  {
    title: "a schedule that went stale a week ago",
    check: "schedule",
    make: async ({ host }) => {
      const stop = Math.floor(Date.now() / 1000) - weekSeconds;
      await host.write("/etc/svc-upgrade.d/schedule", `${stop - 3600} ${stop}\n`);
      await host.mustRun(["touch", "-d", "8 days ago", "/etc/svc-upgrade.d/schedule"]);
    },
    verdict: "failed",
    says: ["stale", "local window"],
    undo: async ({ host }) => {
      await host.mustRun(["rm", "/etc/svc-upgrade/60-window.yaml"]);
      await schedule(host, "open");
    },
  },
  {
    title: "an agent user who cannot write the schedule",
    check: "schedule",
    make: async ({ host }) => {
      await host.write("/etc/systemd/system/svc.service.d/user.conf", "[Service]\nUser=ordinary\n");
      await host.mustRun(["systemctl", "daemon-reload"]);
    },
    verdict: "failed",
    says: ["ordinary, who runs svc.service, may not write it"],
    undo: async ({ host }) => {
      await host.mustRun(["rm", "/etc/systemd/system/svc.service.d/user.conf"]);
      await host.mustRun(["systemctl", "daemon-reload"]);
    },
  },
  {
    title: "a disabled timer",
    check: "timer",
    make: ({ host }) => host.mustRun(["systemctl", "disable", "--now", "--quiet", "svc-upgrade.timer"]),
    verdict: "failed",
    says: ["svc-upgrade.timer is disabled"],
  },
  {
    title: "a masked service behind the timer",
    check: "timer",
    make: ({ host }) => host.mustRun(["systemctl", "mask", "--quiet", "svc-upgrade.service"]),
    verdict: "failed",
    says: ["svc-upgrade.service is masked"],
  },
  {
    title: "a held package",
    check: "package",
    make: ({ host }) => host.mustRun(["apt-mark", "hold", "svc-ent"]),
    verdict: "warning",
    says: ["apt holds it"],
  },
  {
    title: "a package that was left half-way",
    check: "manager",
    make: async ({ host }) => {
      await host.mustRun(["sh", "-c", "cd /tmp && apt-get download -qq svc-ent=15.4.5 && dpkg --unpack svc-ent_15.4.5_*.deb"]);
    },
    verdict: "failed",
    says: ["svc-ent"],
  },
  {
    title: "a ca_file that the asking unit cannot read",
    check: "tls",
    make: ({ host }) => host.mustRun(["chmod", "0600", caFile]),
    verdict: "failed",
    says: [caFile, "may not be read"],
  },
  {
    title: "a proxy that refuses",
    check: "proxy",
    make: async ({ host }) => {
      const port = await refusingProxy(host);
      await host.write("/etc/default/svc", `HTTPS_PROXY=http://${host.network.outerAddress}:${port}\n`, { mode: "0600" });
    },
    verdict: "failed",
    says: ["403", "CONNECT"],
    after: "skipped",
    undo: ({ host }) => host.mustRun(["rm", "/etc/default/svc"]),
  },
  {
    title: "an environment file of the agent's unit that is another user's",
    check: "agent",
    make: ({ host }) => host.write("/etc/default/svc", "", { owner: "ordinary:" }),
    verdict: "warning",
    says: ["EnvironmentFile= /etc/default/svc belongs to user 1000, who can keep systemd waiting"],
    undo: ({ host }) => host.mustRun(["rm", "/etc/default/svc"]),
  },
  {
    title: "unattended-upgrades, set to move the same package",
    check: "rivals",
    make: async ({ host }) => {
      await installUnattendedUpgrades(host);
      expect((await look(host, "rivals")).verdict).toBe("ok");
      await host.write("/etc/apt/apt.conf.d/51lab", 'Unattended-Upgrade::Origins-Pattern { "origin=Lab,codename=stable"; };\n');
    },
    verdict: "warning",
    says: ["unattended-upgrades", "origin=Lab"],
  },
  {
    title: "a version that was published after the lists were fetched",
    check: "offer",
    make: async ({ host, versions }) => {
      versions.serve("default", { version: "15.4.7" });
      await until("the lists are more than a minute old", 90_000, async () => {
        const old = await host.enter([
          "find",
          "/var/lib/apt/lists/partial",
          "-maxdepth",
          "0",
          "-not",
          "-newerct",
          "61 seconds ago",
        ]);
        return old.stdout === "" ? undefined : true;
      });
    },
    verdict: "warning",
    says: ["no repository is known to offer svc-ent 15.4.7", "15.4.6"],
  },
  {
    title: "a binary that is gone",
    check: "binary",
    make: ({ host }) => host.mustRun(["rm", "/usr/bin/svc"]),
    verdict: "failed",
    says: ["the agent's binary is missing"],
  },
];

describe("doctor", () => {
  test(
    "finds each fault without hiding what comes after it, and each fix works as it is printed",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host, repository, versions } = stage;
      await healthyHost(stage);
      await repository.publish(await buildAgent(host, { version: "15.4.7" }));
      const healthy = await examine(host);
      expect(healthy.checks.map(({ name }) => name).join(" ")).toBe(names);
      expect(healthy.checks.filter(({ verdict }) => verdict !== "ok").map(({ name }) => name)).toEqual(["proxy"]);
      expect(healthy).toMatchObject({ schema: 1, status: 0, failed: 0 });

      for (const { title, check, make, verdict, says, after = "ok", undo } of rows) {
        await make(stage);
        const answer = await examine(host);
        const found = answer.checks.find(({ name }) => name === check);
        if (found === undefined) throw new Error(`doctor has no check ${check}`);
        expect([title, found]).toEqual([title, expect.objectContaining({ verdict })]);
        for (const word of says) expect(found.told).toContain(word);
        expect(answer.checks.map(({ name }) => name).join(" ")).toBe(names);
        expect([title, answer.status]).toEqual([title, verdict === "failed" ? 69 : 0]);
        await typeFix(host, found);
        expect([title, await look(host, check)]).toEqual([title, expect.objectContaining({ verdict: after })]);
        await undo?.(stage);
      }
      expect((await examine(host)).status).toBe(0);

      // The last fix was a repair: the upgrade is the next pass's.
      await host.mustRun(["svc-upgrade", "run", "--now"]);
      await repository.withdraw("svc-ent", "15.4.7");
      versions.serve("default", { version: "15.9.9" });
      await host.mustRun(["apt-get", "update"]);
      expect(await look(host, "offer")).toMatchObject({
        verdict: "failed",
        told: expect.stringContaining("it is not published"),
      });
      // What the host has moved to is withdrawn now; its package was kept.
      expect(await look(host, "previous")).toMatchObject({ verdict: "ok", told: expect.stringContaining("is kept") });
      await host.mustRun(["sh", "-c", "for file in /var/lib/svc-upgrade/packages/*; do echo more >>$file; done"]);
      expect(await look(host, "previous")).toMatchObject({
        verdict: "warning",
        told: expect.stringContaining("could not be rolled back"),
      });
    }),
  );

  test(
    "answers an ordinary user, changes nothing, and says what needs root",
    scenario(withUpdater({ suite: "bookworm" }), async (stage) => {
      const { host } = stage;
      await healthyHost(stage);
      const listing = (): Promise<string> =>
        host.mustRun([
          "sh",
          "-c",
          "find /etc /usr /var/lib /var/cache /root -xdev -not -path /var/lib/svc-upgrade-decide/lock -printf '%p %s %T@ %m %U\\n' | sort",
        ]);
      // apt builds its caches again after a refresh, whoever asks first.
      await examine(host);
      const before = await listing();
      expect(await examine(host, "ordinary")).toMatchObject({ status: 0, failed: 0 });
      expect((await examine(host)).status).toBe(0);
      expect(await listing()).toBe(before);

      await host.mustRun(["chmod", "0700", "/etc/svc-upgrade.d"]);
      const { checks } = await examine(host, "ordinary");
      const closed = checks.find(({ name }) => name === "schedule");
      expect([closed?.verdict, closed?.fix]).toEqual(["skipped", "sudo svc-upgrade doctor"]);
    }),
  );
});
