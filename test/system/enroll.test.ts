import { describe, expect, test } from "vitest";
import { agentProcess, buildAgent, installAgent } from "./lab/agent.ts";
import type { Host } from "./lab/host.ts";
import type { ProgramResult } from "./lab/program.ts";
import { scenario, type Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";
import { hurryTimer, installedVersion, installUpdater, stopTimer, withUpdater } from "./updater.ts";

const bookworm = withUpdater({ suite: "bookworm" });
const timer = "svc-upgrade.timer";
const schedule = "/etc/svc-upgrade.d/schedule";

/** A host as a new admin has it: the agent run by a user of its own, the updater installed, and nothing said yet. */
async function newHost({ host, repository, versions }: Stage): Promise<void> {
  await repository.publish(await buildAgent(host, { version: "15.4.5" }), await buildAgent(host, { version: "15.4.6" }));
  await installAgent(host, "15.4.5");
  versions.serve("default", { version: "v15.4.6" });
  await versions.authority.trustIn(host);
  await host.mustRun(["useradd", "--system", "svc"]);
}

function enroll(host: Host, ...words: readonly string[]): Promise<ProgramResult> {
  return host.run(["svc-upgrade", "enroll", ...words]);
}

/** As the agent does it: a process of its own user, which can write nowhere else. */
async function exportSchedule(host: Host): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const write = `printf '%s %s\\n' ${now - 60} ${now + 3600} >${schedule}.new && mv ${schedule}.new ${schedule}`;
  await host.mustRun(["runuser", "-u", "svc", "--", "sh", "-c", write]);
}

/** Everything below /etc with its kind, rights, owner, content and the time of its last change. */
async function listing(host: Host): Promise<readonly string[]> {
  const found = await host.mustRun(["find", "/etc", "-printf", "%y %M %u:%g %s %l %p %T@\\n"]);
  return found.split("\n").toSorted();
}

/** Without times: for what was changed and put back. */
async function standing(host: Host): Promise<readonly string[]> {
  return (await listing(host)).map((line) => line.replace(/ \S+$/, "").replace(/^(d \S+ \S+) \d+/, "$1")).toSorted();
}

async function timerState(host: Host): Promise<readonly string[]> {
  const words = ["is-enabled", "is-active"].map(async (word) => (await host.run(["systemctl", word, timer])).stdout.trim());
  return Promise.all(words);
}

describe("enroll", () => {
  test(
    "takes a new host to the upgrade that its timer makes, in the window that the agent's own user writes",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await newHost(stage);
      const words = ["--endpoint", versions.httpsEndpoint, "--agent-user", "svc"];
      // Some admins' shells keep new files to themselves.
      const enrolled = await host.run(["svc-upgrade", "enroll", ...words], { properties: ["UMask=0077"] });
      expect([enrolled.status, enrolled.stdout]).toEqual([
        0,
        `wrote /etc/svc-upgrade/10-cluster.yaml: endpoint ${versions.httpsEndpoint}
made ${schedule}, for svc to write
already enrolled: ${timer} is enabled and active
an upgrade is available (15.4.5 -> 15.4.6)
`,
      ]);
      // The endpoint was asked by the unit that has no rights.
      expect(await host.mustRun(["systemctl", "show", "--property=Result,ExecMainStatus", "svc-upgrade-ask.service"])).toBe(
        "Result=success\nExecMainStatus=0\n",
      );
      await exportSchedule(host);
      await hurryTimer(host);
      await until("the timer has upgraded the agent", 60_000, async () =>
        (await installedVersion(host)) === "15.4.6" ? true : undefined,
      );
      await stopTimer(host);
      expect((await agentProcess(host))?.speaks).toContain("15.4.6");
      // An upgrade of the updater leaves the directory with the agent's user.
      await installUpdater(host);
      expect(await host.mustRun(["stat", "--format=%U %a %n", "/etc/svc-upgrade.d", schedule])).toBe(
        `svc 755 /etc/svc-upgrade.d\nsvc 644 ${schedule}\n`,
      );

      const left = await host.run(["svc-upgrade", "unenroll"]);
      expect([left.status, left.stdout.split("\n")]).toEqual([
        0,
        [
          `disabled and stopped ${timer}`,
          "removed /etc/svc-upgrade/10-cluster.yaml",
          `gave ${schedule} back to root, with what is in it`,
          "kept /var/lib/svc-upgrade-decide: what the passes did here stays on record until the package is purged",
          "",
        ],
      ]);
      expect(await timerState(host)).toEqual(["disabled", "inactive"]);
      expect(await host.mustRun(["stat", "--format=%U %a %n", "/etc/svc-upgrade.d", schedule])).toBe(
        `root 755 /etc/svc-upgrade.d\nroot 644 ${schedule}\n`,
      );
      expect(JSON.parse(await host.read("/var/lib/svc-upgrade-decide/state.json")).passes.length).toBeGreaterThan(0);
    }),
  );

  test(
    "takes the user from the agent's unit, changes nothing the second time, and unenroll leaves /etc as it was",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await newHost(stage);
      await host.write("/etc/systemd/system/svc.service.d/user.conf", "[Service]\nUser=svc\n");
      await host.mustRun(["systemctl", "daemon-reload"]);
      await host.mustRun(["systemctl", "disable", "--now", timer]);
      const before = await standing(host);

      const first = await enroll(host, "--endpoint", versions.httpsEndpoint, "--channel", "default");
      expect([first.status, first.stdout.split("\n").slice(1, 3)]).toEqual([
        0,
        [`made ${schedule}, for svc to write`, `enabled and started ${timer}`],
      ]);
      expect(await timerState(host)).toEqual(["enabled", "active"]);
      const enrolled = await listing(host);
      const record = await host.mustRun(["stat", "--format=%Y %i", "/var/lib/svc-upgrade/enrolment.json"]);

      const second = await enroll(host, "--endpoint", versions.httpsEndpoint, "--channel", "default");
      expect([second.status, second.stdout]).toEqual([
        0,
        `already enrolled: /etc/svc-upgrade/10-cluster.yaml says endpoint ${versions.httpsEndpoint}, channel default
already enrolled: ${schedule} belongs to svc
already enrolled: ${timer} is enabled and active
an upgrade is available (15.4.5 -> 15.4.6)
`,
      ]);
      expect(await listing(host)).toEqual(enrolled);
      expect(await host.mustRun(["stat", "--format=%Y %i", "/var/lib/svc-upgrade/enrolment.json"])).toBe(record);

      expect((await host.run(["svc-upgrade", "unenroll"])).status).toBe(0);
      expect(await timerState(host)).toEqual(["disabled", "inactive"]);
      expect(await standing(host)).toEqual(before);
      const again = await host.run(["svc-upgrade", "unenroll"]);
      expect([again.status, again.stdout]).toEqual([0, "this host is not enrolled: there is nothing to take back\n"]);
    }),
  );

  test(
    "changes nothing when the endpoint gives no good answer, and says why",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await newHost(stage);
      versions.serve("page", { version: "<!DOCTYPE html><html>Welcome</html>" });
      await host.mustRun(["systemctl", "disable", "--now", timer]);
      const before = await listing(host);
      const rows = [
        [["--endpoint", "https://outer.test:9"], 75, "outer.test:9"],
        [["--endpoint", versions.httpsEndpoint, "--channel", "page"], 65, "a web page of 35 bytes"],
        [["--endpoint", versions.httpsEndpoint, "--channel", "stabel"], 69, "stabel"],
        [["--endpoint", versions.httpEndpoint], 78, "allow_plain_http"],
        [["--endpoint", versions.httpsEndpoint, "--agent-user", "nobody-here"], 64, "nobody-here"],
      ] as const;
      for (const [words, status, said] of rows) {
        const refused = await enroll(host, ...words);
        expect([refused.status, refused.stdout]).toEqual([status, ""]);
        expect(refused.stderr).toContain(said);
      }
      expect(await listing(host)).toEqual(before);
      expect(await timerState(host)).toEqual(["disabled", "inactive"]);
      expect((await host.run(["test", "-e", "/var/lib/svc-upgrade/enrolment.json"])).status).toBe(1);
    }),
  );

  test(
    "takes everything back when the timer cannot be started",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      await newHost(stage);
      await host.mustRun(["systemctl", "disable", "--now", timer]);
      await host.write(`/etc/systemd/system/${timer}.d/broken.conf`, "[Timer]\nOnCalendar=\n");
      await host.mustRun(["systemctl", "daemon-reload"]);
      const before = await standing(host);
      const failed = await enroll(host, "--endpoint", versions.httpsEndpoint, "--agent-user", "svc");
      expect([failed.status, failed.stdout]).toEqual([71, ""]);
      expect(failed.stderr).toContain("what was done before was taken back");
      expect(await standing(host)).toEqual(before);
      expect((await host.run(["test", "-e", "/var/lib/svc-upgrade/enrolment.json"])).status).toBe(1);
      expect(await timerState(host)).toEqual(["disabled", "inactive"]);
    }),
  );

  test(
    "says what to type where the agent is not installed yet, and needs root",
    scenario(bookworm, async (stage) => {
      const { host, versions } = stage;
      versions.serve("default", { version: "v15.4.6" });
      await versions.authority.trustIn(host);
      const enrolled = await enroll(host, "--endpoint", versions.httpsEndpoint);
      expect(enrolled.status).toBe(0);
      expect(enrolled.stdout.split("\n").slice(1)).toEqual([
        `made ${schedule}, for root to write`,
        `already enrolled: ${timer} is enabled and active`,
        "svc-ent is not installed yet; to install it: sudo svc-upgrade run --now --install",
        "",
      ]);
      for (const command of ["enroll", "unenroll"]) {
        const refused = await host.run(["svc-upgrade", command], { user: "ordinary" });
        expect([refused.status, refused.stdout]).toEqual([77, ""]);
        expect(refused.stderr).toContain(`sudo svc-upgrade ${command}`);
      }
    }),
  );

  test(
    "lets a pass in hand finish when the host is unenrolled",
    scenario(bookworm, async (stage) => {
      const { host, repository, versions } = stage;
      await newHost(stage);
      expect((await enroll(host, "--endpoint", versions.httpsEndpoint, "--agent-user", "svc")).status).toBe(0);
      await repository.publish(await buildAgent(host, { version: "15.4.7", scripts: "slow" }));
      versions.serve("default", { version: "v15.4.7" });
      await exportSchedule(host);
      await host.mustRun(["systemctl", "start", "--no-block", "svc-upgrade.service"]);
      await until("the transaction runs", 60_000, async () => {
        const unit = await host.enter(["systemctl", "show", "-p", "ExecStart", "svc-upgrade-transaction.service"]);
        return unit.stdout.includes("15.4.7") ? true : undefined;
      });
      const left = await host.run(["svc-upgrade", "unenroll"]);
      expect(left.status).toBe(0);
      expect(left.stderr).toContain("a pass is running and goes on to its end");
      await stopTimer(host);
      expect(await installedVersion(host)).toBe("15.4.7");
      expect(await timerState(host)).toEqual(["disabled", "inactive"]);
    }),
  );
});
