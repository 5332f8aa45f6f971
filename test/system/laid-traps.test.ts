import { describe, expect, test } from "vitest";
import type { Host } from "./lab/host.ts";
import { scenario } from "./lab/scenario.ts";
import { outdatedHost, schedule, stopTimer, tick, withUpdater } from "./updater.ts";

/** The state directory, which whoever took over the deciding unit can fill with what they like. */
const state = "/var/lib/svc-upgrade-decide";
const user = "svc-upgrade";

const names = ["state.json", "lock", ".reserve", "metrics.prom", "proxies.json"];

/** Shell commands of that user's, with `$1` for the name. */
const traps = {
  "links to a secret of root's": 'ln -s /root/victim "$1"',
  "links to where root alone could make a file": 'ln -s /root/made "$1"',
  "links to a directory of root's": 'ln -s /root "$1"',
  "named pipes": 'mkfifo "$1"',
  directories: 'mkdir "$1" && ln -s /root "$1/below"',
  "files of its own that everybody may write": 'echo "{" >"$1" && chmod 666 "$1"',
} as const;

const commands = ["status", "doctor", "dry-run", "hold", "unhold", "retry", "rollback", "run"];

/** Longer than any of them needs, and no hang. */
const longestSeconds = "45";
const statusOfKilled = 137;

describe.each(["bullseye", "trixie"] as const)("on %s, root's commands in a state directory of another user", (suite) => {
  test(
    "follow nothing that it laid there, tell nothing of what is behind it, and do not hang",
    scenario(withUpdater({ suite }), async (stage) => {
      const { host } = stage;
      await outdatedHost(stage);
      await schedule(host, "closed");
      await stopTimer(host);
      expect(await tick(host)).toBe(0);
      await host.write("/root/victim", "victim-secret\n", { mode: "0600" });
      const before = await rootsFiles(host);
      for (const [title, trap] of Object.entries(traps)) {
        for (const command of commands) {
          const met = [title, command];
          await lay(host, trap);
          const ended = await host.run(["timeout", "--signal=KILL", longestSeconds, "svc-upgrade", command]);
          expect([met, ended.status]).not.toEqual([met, statusOfKilled]);
          expect([met, `${ended.stdout}${ended.stderr}`]).not.toEqual([met, expect.stringContaining("victim-secret")]);
          expect([met, await rootsFiles(host)]).toEqual([met, before]);
        }
      }
    }),
  );
});

/** As that user, in the place of what was there. */
async function lay(host: Host, trap: string): Promise<void> {
  const laid = names.map((name) => `rm -rf ${name}; set -- ${name}; ${trap}`);
  await host.mustRun(["sh", "-ec", `cd ${state}; ${laid.join("; ")}`], { user });
}

/** Names, owners, rights, sizes and times of what is root's and was led to. */
function rootsFiles(host: Host): Promise<string> {
  return host.mustRun(["find", "/root", "/etc/passwd", "/etc/shadow", "-printf", "%p %U %G %m %n %s %T@ %C@\\n"]);
}
