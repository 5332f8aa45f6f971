import { describe, expect, test } from "vitest";
import project from "../../package.json" with { type: "json" };
import { rpmSuites, suites, type Family } from "./lab/base.ts";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { addedSince, listing } from "./left-behind.ts";
import { mainProcess } from "./main-process.ts";
import { exposureOf } from "./sandbox/exposure.ts";
import { installUpdater, withUpdater } from "./updater.ts";

const timer = "svc-upgrade.timer";
const units = [
  timer,
  "svc-upgrade.service",
  "svc-upgrade-ask.socket",
  "svc-upgrade-ask.service",
  "svc-upgrade-act.socket",
  "svc-upgrade-act.service",
];

const account = "svc-upgrade";
const accountEntry = /^svc-upgrade:x:\d{3}:\d{3}:Decides which version of the agent this host runs:\/:\/usr\/s?bin\/nologin\n$/;

type Tools = { readonly verify: string; readonly remove: string; readonly purge: string };

const rpm: Tools = {
  verify: "rpm --verify svc-ent-updater",
  remove: "rpm --force-debian --erase svc-ent-updater",
  // rpm has no purge: this is what docs/installing.md says.
  purge:
    "rpm --force-debian --erase svc-ent-updater && rm -rf /etc/svc-upgrade /etc/svc-upgrade.d /var/lib/svc-upgrade /var/lib/svc-upgrade-decide",
};

const tools: Readonly<Record<Family, Tools>> = {
  apt: {
    verify: "dpkg --verify svc-ent-updater",
    remove: "dpkg --remove svc-ent-updater",
    purge: "dpkg --purge svc-ent-updater",
  },
  yum: rpm,
  zypper: rpm,
};

function use(host: Host, tool: keyof Tools): Promise<string> {
  return host.mustRun(["sh", "-c", tools[host.family][tool]]);
}

describe.each([...suites, ...rpmSuites])("the package on %s", (suite) => {
  test(
    "enables and starts the timer; every unit is understood, and both sandboxed ones have an exposure of at most 1.5",
    scenario({ suite }, async ({ host }) => {
      await installUpdater(host);
      expect(await timerState(host)).toEqual(["enabled", "active"]);
      expect(await host.mustRun(["svc-upgrade", "version"])).toContain(project.version);
      expect(await host.mustRun(["stat", "--format=%A %U %n", "/etc/svc-upgrade", "/etc/svc-upgrade.d"])).toBe(
        "drwxr-xr-x root /etc/svc-upgrade\ndrwxr-xr-x root /etc/svc-upgrade.d\n",
      );
      expect(await host.mustRun(["getent", "passwd", account])).toMatch(accountEntry);
      const paths = units.map((unit) => `/usr/lib/systemd/system/${unit}`);
      expect(await host.run(["systemd-analyze", "verify", "--man=no", ...paths])).toMatchObject({
        status: 0,
        stdout: "",
        stderr: "",
      });
      for (const unit of units.filter((name) => name.endsWith(".service"))) {
        expect((await exposureOf(host, unit)).level).toBeLessThanOrEqual(1.5);
      }
      expect(await use(host, "verify")).toBe("");
    }),
  );
});

/** Of apt's the oldest, whose dpkg has the most to be told; the units themselves are seen everywhere. */
describe.each(["bullseye", ...rpmSuites] as const)("the package on %s", (suite) => {
  test(
    "leaves an administrator's choice alone, at an upgrade and over a removal",
    scenario(withUpdater({ suite }), async ({ host }) => {
      await host.mustRun(["systemctl", "disable", "--now", timer]);
      await installUpdater(host);
      expect(await timerState(host)).toEqual(["disabled", "inactive"]);
      await use(host, "remove");
      await installUpdater(host);
      expect(await timerState(host)).toEqual(["disabled", "inactive"]);
      await host.mustRun(["systemctl", "enable", "--now", timer]);
      await use(host, "remove");
      await installUpdater(host);
      expect(await timerState(host)).toEqual(["enabled", "active"]);
    }),
  );

  test(
    "comes, is upgraded, goes and comes back whatever an administrator has masked, and the mask stays",
    scenario({ suite }, async ({ host }) => {
      const mask = async (unit: string): Promise<string> => host.mustRun(["readlink", `/etc/systemd/system/${unit}`]);
      for (const unit of units) {
        await host.mustRun(["systemctl", "mask", unit]);
        await installUpdater(host);
        const timerThen = await timerState(host);
        expect([unit, ...timerThen]).toEqual([unit, ...firstState(unit)]);
        if (unit === "svc-upgrade.service") {
          // On since before the mask: what is not touched goes on.
          await host.mustRun(["systemctl", "unmask", unit]);
          await host.mustRun(["systemctl", "start", timer]);
          await host.mustRun(["systemctl", "mask", unit]);
        }
        const before = await timerState(host);
        await installUpdater(host);
        expect([unit, ...(await timerState(host))]).toEqual([unit, ...before]);
        await use(host, "remove");
        await installUpdater(host);
        await use(host, "purge");
        expect(await mask(unit)).toBe("/dev/null\n");
        await host.mustRun(["systemctl", "unmask", unit]);
      }
    }),
  );

  test(
    "starts no timer at an upgrade that somebody has stopped, and one that comes back as it was enabled",
    scenario(withUpdater({ suite }), async ({ host }) => {
      await host.mustRun(["systemctl", "stop", timer]);
      await installUpdater(host);
      expect(await timerState(host)).toEqual(["enabled", "inactive"]);
      await use(host, "remove");
      await installUpdater(host);
      expect(await timerState(host)).toEqual(["enabled", "active"]);
    }),
  );

  test(
    "goes whatever the agent's user has put in the schedule's place, and takes nothing with it that is not ours",
    scenario({ suite }, async ({ host }) => {
      const place = "/etc/svc-upgrade.d/schedule";
      const put = (script: string): Promise<string> => host.mustRun(["sh", "-c", script], { user: "ordinary" });
      const agents = async (): Promise<void> => {
        await installUpdater(host);
        await host.mustRun(["chown", "ordinary", "/etc/svc-upgrade.d"]);
      };
      await agents();
      await put(`mkdir ${place}`);
      await use(host, "purge");
      expect((await host.run(["test", "-e", "/etc/svc-upgrade.d"])).status).toBe(1);

      await agents();
      await host.write("/home/ordinary/kept/file", "kept", { owner: "ordinary" });
      await put(`ln -s /home/ordinary/kept ${place}`);
      await use(host, "purge");
      expect((await host.run(["test", "-e", "/etc/svc-upgrade.d"])).status).toBe(1);
      expect(await host.read("/home/ordinary/kept/file")).toBe("kept");

      await agents();
      await put(`mkdir ${place} && echo thesis >${place}/text`);
      await use(host, host.family === "apt" ? "purge" : "remove");
      expect(await host.read(`${place}/text`)).toBe("thesis\n");
      expect((await host.run(["test", "-e", "/usr/bin/svc-upgrade"])).status).toBe(1);
      await installUpdater(host);
      expect(await timerState(host)).toEqual(["enabled", "active"]);
    }),
  );

  test(
    "touches no running pass at an upgrade, and lets it end at a removal",
    scenario(withUpdater({ suite }), async ({ host }) => {
      await host.write(
        "/etc/systemd/system/svc-upgrade.service.d/slow.conf",
        // Finishes the step in hand when it is asked to stop, as the program does.
        "[Service]\nExecStart=\nExecStart=/bin/sh -c 'trap \"sleep 1; echo finished; exit 0\" TERM; while :; do sleep 0.1; done'\n",
      );
      await host.mustRun(["systemctl", "daemon-reload"]);
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      const pid = await until("the pass begins", 10_000, () => mainProcess(host, "svc-upgrade.service"));
      await installUpdater(host);
      expect(await mainProcess(host, "svc-upgrade.service")).toBe(pid);
      await use(host, "remove");
      expect(await mainProcess(host, "svc-upgrade.service")).toBeUndefined();
      expect(await host.journal("svc-upgrade.service")).toContain("finished");
    }),
  );

  test(
    "leaves settings and state behind when it is removed, and nothing when it is purged",
    scenario({ suite }, async ({ host }) => {
      const before = await listing(host);
      const users = await host.read("/etc/passwd");
      await installUpdater(host);
      await host.write("/etc/svc-upgrade/50-test.yaml", "channel: default\n");
      await host.write("/etc/svc-upgrade.d/schedule", "nop\n");
      // However these passes end, they leave what the units make.
      await host.run(["systemctl", "start", "svc-upgrade.service"]);
      await host.run(["systemctl", "start", "svc-upgrade-ask.service"]);
      await use(host, "remove");
      expect((await addedSince(host, before)).filter((path) => !isSettingOrState(path))).toEqual([]);
      await installUpdater(host);
      await use(host, "purge");
      expect(await addedSince(host, before)).toEqual([]);
      expect(await host.mustRun(["systemctl", "list-units", "--all", "--no-legend", "svc-upgrade*"])).toBe("");
      // As it is usual: what a user owned elsewhere would belong to the next one of that number.
      const stays = (await host.read("/etc/passwd")).split("\n").filter((line) => !line.startsWith(`${account}:`));
      expect(stays.join("\n")).toBe(users);
    }),
  );

  test(
    "starts nothing where the account that decides cannot be made or is root's by another name, says what to type, and that helps",
    scenario({ suite }, async ({ host }) => {
      const sysusers = (await host.mustRun(["sh", "-c", "command -v systemd-sysusers"])).trim();
      await host.mustRun(["mv", sysusers, `${sysusers}.away`]);
      expect(await installUpdater(host)).toContain("There is no user svc-upgrade yet");
      expect(await timerState(host)).toEqual(["enabled", "inactive"]);
      await host.mustRun(["mv", `${sysusers}.away`, sysusers]);
      const helps = "systemd-sysusers svc-upgrade.conf && systemctl start svc-upgrade.timer";
      await host.mustRun(["sh", "-c", helps]);
      expect(await host.mustRun(["getent", "passwd", account])).toMatch(accountEntry);
      expect(await timerState(host)).toEqual(["enabled", "active"]);

      await use(host, "purge");
      await host.mustRun(["sed", "-i", "s/^svc-upgrade:x:[0-9]*:/svc-upgrade:x:0:/", "/etc/passwd"]);
      expect(await installUpdater(host)).toContain(helps);
      expect(await timerState(host)).toEqual(["enabled", "inactive"]);
      await host.mustRun(["sed", "-i", "s/^svc-upgrade:/toor:/", "/etc/passwd"]);
      await host.mustRun(["sh", "-c", helps]);
      expect(await host.mustRun(["id", "--user", account])).toMatch(/^[1-9]\d+\n$/);
      expect(await timerState(host)).toEqual(["enabled", "active"]);
    }),
  );
});

describe("the .deb", () => {
  test(
    "refuses a host whose systemd is too old, in one sentence",
    scenario({ suite: "bullseye" }, async ({ host }) => {
      await installUpdater(host);
      await host.mustRun(["dpkg", "--purge", "svc-ent-updater"]);
      await host.write("/usr/local/bin/systemctl", "#!/bin/sh\necho 'systemd 246 (246.6)'\n", { mode: "0755" });
      const refused = await host.run(["dpkg", "--install", "/var/tmp/svc-ent-updater.deb"], { env: { PATH: oldHostPath } });
      expect(refused.status).not.toBe(0);
      expect(refused.stderr).toContain("it needs systemd 247 or newer, and this host has 246.");
      expect((await host.run(["test", "-e", "/usr/bin/svc-upgrade"])).status).toBe(1);
    }),
  );
});

const oldHostPath = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Of the timer after a first installation with this unit masked. */
function firstState(masked: string): readonly string[] {
  if (masked === timer) return ["masked", "inactive"];
  return ["enabled", masked === "svc-upgrade.service" ? "inactive" : "active"];
}

async function timerState(host: Host): Promise<readonly string[]> {
  const enabled = await host.run(["systemctl", "is-enabled", timer]);
  const active = await host.run(["systemctl", "is-active", timer]);
  return [enabled.stdout.trim(), active.stdout.trim()];
}

function isSettingOrState(path: string): boolean {
  return /^\/(etc\/svc-upgrade|etc\/svc-upgrade\.d|etc\/needrestart|var\/lib\/svc-upgrade(-decide)?)(\/|$)/.test(path);
}
