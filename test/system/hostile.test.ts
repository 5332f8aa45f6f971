import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pathsBelow } from "../../src/machine/files/paths.ts";
import { answers, release } from "./hostile/answers.ts";
import { layTraps, places } from "./hostile/by-hand.ts";
import { expectUpgrade, hostileHost, meet, mendSchedule, pass, planted } from "./hostile/play.ts";
import { remains } from "./hostile/remains.ts";
import { restless, schedules } from "./hostile/schedule.ts";
import { agentConfigs, environments, fragments, unread } from "./hostile/settings.ts";
import type { Host } from "./lab/host.ts";
import { mustRun } from "./lab/program.ts";
import { scenario } from "./lab/scenario.ts";
import { configure, installedVersion, schedule, tick, withUpdater } from "./updater.ts";

const bookworm = withUpdater({ suite: "bookworm" });

function shell(script: string): (host: Host) => Promise<void> {
  return async (host) => void (await host.mustRun(["sh", "-c", script]));
}

describe("whatever lies there hangs nothing, runs nothing, moves nothing and is told, and once it is gone all is well", () => {
  test(
    "in the place of the schedule, which is the agent's user's",
    scenario(bookworm, async (stage) => {
      await hostileHost(stage);
      // Kernels have it on where nobody says otherwise to them; it is not the only wall.
      await stage.host.run(["sysctl", "-w", "fs.protected_hardlinks=0"]);
      await meet(stage, schedules, mendSchedule);
      await expectUpgrade(stage.host);
    }),
  );

  test(
    "in the place of the schedule, another thing at every moment",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await hostileHost(stage);
      await host.write("/opt/restless.pl", restless);
      await host.mustRun(["systemd-run", "--quiet", "--unit=restless", "--uid=ordinary", "perl", "/opt/restless.pl"]);
      for (let passes = 0; passes < 6; passes += 1) {
        const { status, said } = await pass(host);
        expect([status, said]).toEqual([0, expect.stringMatching(/outside the maintenance window|no valid schedule: /)]);
        expect(said).not.toContain("planted-secret");
      }
      await host.mustRun(["systemctl", "is-active", "restless"]);
      await host.mustRun(["systemctl", "stop", "restless"]);
      expect(await installedVersion(host)).toBe("15.4.5");
      await mendSchedule(host);
      await expectUpgrade(host);
    }),
  );

  test(
    "among the settings",
    scenario(bookworm, async (stage) => {
      await hostileHost(stage);
      await shell("cp -a /etc/svc-upgrade /root/good")(stage.host);
      await meet(stage, fragments, shell("rm -rf /etc/svc-upgrade /etc/away && cp -a /root/good /etc/svc-upgrade"));
      await expectUpgrade(stage.host);
    }),
  );

  test(
    "in the place of the agent's configuration",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await hostileHost(stage);
      await versions.authority.trustIn(host);
      await configure(host, "channel: default\n");
      await host.write("/root/svc.yaml", `proxy_server: ${new URL(versions.httpsEndpoint).host}\n`, { mode: "0600" });
      const mend = shell("rm -rf /etc/svc.yaml && cp -a /root/svc.yaml /etc/svc.yaml");
      await mend(host);
      await meet(stage, agentConfigs, mend);
      await expectUpgrade(host);
    }),
  );

  test(
    "in the place of the agent's environment",
    scenario(bookworm, async (stage) => {
      await hostileHost(stage);
      const mend = shell("rm -rf /etc/default/svc");
      await meet(stage, unread, mend);
      await meet(stage, environments, mend);
      await expectUpgrade(stage.host);
    }),
  );

  test(
    "in the answer, where the asking unit is somebody else's",
    scenario(bookworm, async (stage) => {
      await hostileHost(stage);
      await meet(stage, answers, shell(release));
      await expectUpgrade(stage.host);
    }),
  );

  test(
    "in the updater's own directories",
    scenario(bookworm, async (stage) => {
      await hostileHost(stage);
      // They are made when the unit is first started, and by whoever asks it for something.
      expect((await pass(stage.host)).status).toBe(0);
      await stage.host.mustRun(["mkdir", "--parents", "/run/svc-upgrade"]);
      const mend =
        "rm -rf /run/svc-upgrade/* && rm -rf /var/lib/svc-upgrade-decide/lock /var/lib/svc-upgrade-decide/*unreadable*";
      await meet(stage, remains, shell(`${mend} && svc-upgrade retry`));
      await expectUpgrade(stage.host);
    }),
  );
});

describe("the agent's environment file", () => {
  test(
    "runs nothing as root, whoever may write it and whatever programs its variables name",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await hostileHost(stage);
      await host.mustRun(["sh", "-c", layTraps], { user: "ordinary" });
      await host.write("/tmp/trap/apt.conf", `DPkg::Pre-Invoke { "touch ${planted}"; };\nDir::Bin::dpkg "/tmp/trap/dpkg";\n`);
      const planned = ["APT_CONFIG=/tmp/trap/apt.conf", ...places.flatMap(({ env = {} }) => lines(env))].filter(
        (line) => line !== "APT_CONFIG=/etc/shadow",
      );
      await host.write("/etc/default/svc", `${planned.join("\n")}\n`, { owner: "ordinary:" });
      await expectUpgrade(host);
      expect((await host.run(["cat", planted])).stdout).toBe("");
    }),
  );
});

function lines(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}

describe("by hand", () => {
  test(
    "a dry run and a run do the same in every poisoned place, and start no program out of it",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await hostileHost(stage);
      await host.mustRun(["sh", "-c", layTraps]);
      for (const command of ["dry-run", "run"]) {
        for (const { title, env, before = "", after = "" } of places) {
          const argv = ["/bin/sh", "-c", `${before} exec "$@" ${after}`, "sh", "/usr/bin/svc-upgrade", command];
          const { status, stdout, stderr } = await host.run(argv, env === undefined ? {} : { env });
          const wanted = expect.stringMatching(/^an upgrade is available \(15\.4\.5 -> 15\.4\.6\)/) as string;
          expect([command, title, status, stdout]).toEqual([command, title, 0, wanted]);
          // A run that stays says its sentence once, on stdout.
          const told = command === "run" ? stdout : stderr;
          expect([title, told]).toEqual([title, expect.stringContaining("outside the maintenance window")]);
          expect([title, (await host.run(["cat", planted])).stdout]).toEqual([title, ""]);
        }
        // Nobody to answer to, and nobody to tell: the pass is the same.
        await host.mustRun(["sh", "-c", `exec svc-upgrade ${command} <&- >&- 2>&-`]);
      }
      const modes =
        "/run/svc-upgrade /var/lib/svc-upgrade /var/lib/svc-upgrade-decide /var/lib/svc-upgrade-decide/state.json /var/lib/svc-upgrade-decide/lock";
      expect(await host.mustRun(["sh", "-c", `stat --format='%a %U' ${modes}`])).toBe(
        "755 root\n755 root\n755 svc-upgrade\n644 svc-upgrade\n600 svc-upgrade\n",
      );
      await expectUpgrade(host);
    }),
  );

  test(
    "a preloaded library is whoever typed the command's own affair, and goes no further than that process",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await hostileHost(stage);
      const library = join(host.directory, "preloaded.so");
      const source = `#include <stdio.h>
        __attribute__((constructor)) static void mark(void) {
          char name[64] = ""; FILE *own = fopen("/proc/self/comm", "r"), *out = fopen("${planted}", "a");
          if (own && fgets(name, sizeof name, own) && out) fputs(name, out);
          if (out) fclose(out);
        }`;
      await mustRun(["gcc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"], { input: source });
      await host.copyIn(library, "/tmp/preloaded.so", { mode: "0755" });
      await schedule(host, "open");
      const { status } = await host.run(["/usr/bin/svc-upgrade", "run"], { env: { LD_PRELOAD: "/tmp/preloaded.so" } });
      expect(status).toBe(0);
      expect(await installedVersion(host)).toBe("15.4.6");
      expect(new Set((await host.read(planted)).trim().split("\n"))).toEqual(new Set(["svc-upgrade"]));
    }),
  );

  test(
    "another user of the host gets nothing started, written or changed",
    scenario(bookworm, async (stage) => {
      const { host } = stage;
      await hostileHost(stage);
      expect(await tick(host)).toBe(0);
      const attempts = [
        ...["/run/svc-upgrade", "/var/lib/svc-upgrade", "/etc/svc-upgrade"].map((at) => `touch ${at}/planted`),
        "echo >/run/svc-upgrade/asked.json",
        `cat ${pathsBelow("/").passProxies}`,
        ...["ask", "act"].map(
          (unit) => `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new("/run/svc-upgrade-${unit}.socket") or exit 1'`,
        ),
        "cat /var/lib/svc-upgrade-decide/lock",
        "flock --nonblock /var/lib/svc-upgrade-decide/lock true",
        ...["svc-upgrade.service", "svc-upgrade-ask.service"].map((unit) => `systemctl --no-ask-password start ${unit}`),
        "systemctl --no-ask-password stop svc-upgrade.timer",
        "systemd-run --no-ask-password --unit=svc-upgrade-transaction.service true",
      ];
      for (const attempt of attempts) {
        const { status } = await host.run(["sh", "-c", attempt], { user: "ordinary" });
        expect([attempt, status === 0]).toEqual([attempt, false]);
      }
      for (const command of ["run", "run --now", "hold", "unhold", "retry", "rollback"]) {
        const { status } = await host.run(["svc-upgrade", ...command.split(" ")], { user: "ordinary" });
        expect([command, status]).toEqual([command, 77]);
      }
      await expectUpgrade(host);
    }),
  );
});
