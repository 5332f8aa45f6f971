import { expect } from "vitest";
import type { Host } from "../../lab/host.ts";
import { holdManagerLock } from "../../lab/manager-lock.ts";
import { expectRunning, lastPass } from "../../moves.ts";
import { runNow, schedule, tick } from "../../updater.ts";
import type { Chapter } from "../row.ts";
import { begin, openScene, type Scene } from "../scene.ts";

/** In every place where an admin may say so, and for everything that systemd starts. */
async function speakGerman(host: Host): Promise<void> {
  const words = ["LANG=de_DE.UTF-8", "LANGUAGE=de", "LC_ALL=de_DE.UTF-8"];
  for (const file of ["/etc/default/locale", "/etc/locale.conf", "/etc/environment"]) {
    await host.write(file, words.map((word) => `${word}\n`).join(""));
  }
  await host.write("/etc/systemd/system.conf.d/german.conf", `[Manager]\nDefaultEnvironment=${words.join(" ")}\n`);
  await host.powerOff();
  await host.boot();
  await host.mustRun(["systemctl", "stop", "svc-upgrade.timer"]);
}

/** What the manager says is read; so whatever it says here, it must say in the same words as elsewhere. */
export const german: Chapter<Scene> = {
  title: "speaks German",
  isBesideOthers: true,
  open: async (host) => {
    const scene = await openScene(host);
    await speakGerman(host);
    return scene;
  },
  begin,
  rows: [
    {
      title: "upgrades, and knows what is said of a version that nobody offers, though the manager speaks German to an admin",
      play: async ({ host, versions, manners }) => {
        const { stdout, stderr } = await host.run(manners.german.argv);
        expect(stdout + stderr).toContain(manners.german.says);
        versions.serve("default", { version: "v15.9.9" });
        expect((await runNow(host)).status).toBe(75);
        expect((await lastPass(host)).outcome).toMatchObject({ step: "offer", fault: { code: "not-offered" } });
        versions.serve("default", { version: "v15.4.6" });
        await host.mustRun(["rm", "/var/lib/svc-upgrade-decide/state.json"]);
        await schedule(host, "open");
        expect(await tick(host)).toBe(0);
        await expectRunning(host, "15.4.6");
      },
    },
    {
      title: "waits for a lock that is held for ever, leaves it to the next pass, and names the holder",
      play: async ({ host, manners }) => {
        const lock = await holdManagerLock(host);
        expect((await runNow(host)).status).toBe(75);
        const { outcome } = await lastPass(host);
        // What an earlier row has left in the cache is not fetched again: then the installation is the first to want the lock.
        expect(outcome).toMatchObject({
          step: expect.toBeOneOf([manners.busyAt, "install"]) as string,
          fault: { code: "manager-busy", message: expect.stringMatching(/held by process \d+ \(.*(?:perl|sleep)/) as string },
        });
        await expectRunning(host, "15.4.5");
        await lock.release();
        expect((await runNow(host)).status).toBe(0);
        await expectRunning(host, "15.4.6");
      },
    },
  ],
};
