import { packageName } from "../../packaging/about.ts";
import type { Format } from "../../packaging/project.ts";
import { builtPackage, installBuilt, withBuilt } from "./built-package.ts";
import { buildAgent, installAgent, type AgentOptions } from "./lab/agent.ts";
import type { Host, HostOptions } from "./lab/host.ts";
import { installedPackage } from "./lab/package-tools.ts";
import type { ProgramResult } from "./lab/program.ts";
import type { PreparedOptions } from "./lab/prepared.ts";
import type { Stage } from "./lab/scenario.ts";
import { until } from "./lab/until.ts";

/** The package for this machine, as `npm run package` left it. */
export function updaterPackage(format: Format): Promise<string> {
  return builtPackage(packageName, format);
}

/** Hosts that begin with the updater installed, for all scenarios that are about what it does then. */
export function withUpdater<Options extends HostOptions>(options: Options): Options & PreparedOptions {
  return withBuilt(packageName, options, quietTimer);
}

/** Gives what the package manager said. */
export function installUpdater(host: Host): Promise<string> {
  return installBuilt(host, packageName);
}

/** A host that began with the updater now has the agent at 15.4.5 too, and a repository and a channel that are at 15.4.6. */
export async function outdatedHost(
  { host, repository, versions }: Stage,
  reload: NonNullable<AgentOptions["reload"]> = "reread",
): Promise<void> {
  await repository.publish(
    await buildAgent(host, { version: "15.4.5", reload }),
    await buildAgent(host, { version: "15.4.6", reload }),
  );
  await installAgent(host, "15.4.5");
  versions.serve("default", { version: "v15.4.6" });
  await configure(host, `endpoint: ${versions.httpEndpoint}\nallow_plain_http: true\nhealth: {settle: ${settle}}\n`);
}

/** The shipped half a minute is proved by one scenario of its own. */
const settle = "1s";

/** One settings fragment of the host's. */
export async function configure(host: Host, settings: string, name: string = "50-test"): Promise<void> {
  await host.write(`/etc/svc-upgrade/${name}.yaml`, settings, { mode: "0644" });
}

/** A schedule as the agent exports it, around the present. */
export async function schedule(host: Host, state: "open" | "closed"): Promise<{ readonly start: number }> {
  const now = Math.floor(Date.now() / 1000);
  const start = state === "open" ? now - 60 : now + 7200;
  await host.write("/etc/svc-upgrade.d/schedule", `# exported by the agent\n${start} ${start + 3600}\n`);
  return { start };
}

/** Runs the deciding unit as the timer does, waits for its end, and gives its exit status. */
export async function tick(host: Host): Promise<number> {
  await host.run(["systemctl", "start", "svc-upgrade.service"], { timeoutMs: 120_000 });
  return Number(
    (await host.mustRun(["systemctl", "show", "--property=ExecMainStatus", "--value", "svc-upgrade.service"])).trim(),
  );
}

/** A pass that an admin asks for. A manager may wait a minute for its lock. */
export function runNow(host: Host): Promise<ProgramResult> {
  return host.run(["svc-upgrade", "run", "--now"], { timeoutMs: 180_000 });
}

const timerChanges = "/etc/systemd/system/svc-upgrade.timer.d";

/** From the next boot on, the shipped timer is on and does not fire: the passes of a test are the test's own. */
export async function quietTimer(host: Host): Promise<void> {
  await host.write(
    `${timerChanges}/10-quiet.conf`,
    "[Timer]\nOnCalendar=\nOnCalendar=2099-01-01 02:00 UTC\nRandomizedDelaySec=0\n",
  );
}

/** The timer as it is shipped, on a host that began with a quiet one. */
export async function shippedTimer(host: Host): Promise<void> {
  await host.mustRun(["rm", "-r", timerChanges]);
  await restartTimer(host);
}

/** Lets the shipped timer fire at once and often; all else of it stays as it is shipped. */
export async function hurryTimer(host: Host): Promise<void> {
  await host.write(
    `${timerChanges}/50-hurry.conf`,
    "[Timer]\nOnCalendar=\nOnCalendar=*:*:0/2\nRandomizedDelaySec=0\nAccuracySec=1ms\n",
  );
  await restartTimer(host);
}

async function restartTimer(host: Host): Promise<void> {
  await host.mustRun(["systemctl", "daemon-reload"]);
  await host.mustRun(["systemctl", "restart", "svc-upgrade.timer"]);
}

export async function stopTimer(host: Host): Promise<void> {
  await host.mustRun(["systemctl", "stop", "svc-upgrade.timer"]);
  await until("the pass in hand ends", 60_000, async () => {
    const state = await host.enter(["systemctl", "is-active", "svc-upgrade.service"]);
    return state.stdout.trim() === "activating" ? undefined : true;
  });
}

/** Its package version: an rpm's has a release. */
export function installedVersion(host: Host, name: string = "svc-ent"): Promise<string> {
  return installedPackage(host, name);
}

/** What `journalctl -u svc-upgrade` shows of the last run of the unit, with what differs from run to run replaced. */
export async function journalOfLastRun(host: Host): Promise<readonly string[]> {
  const lines = (await host.mustRun(["journalctl", "--quiet", "--no-pager", "-u", "svc-upgrade", "-o", "cat"]))
    .trim()
    .split("\n");
  const start = lines.findLastIndex((line) => line.startsWith("Starting "));
  // systemd mentions a second of processor time; on a busy machine a pass may take that.
  return (
    lines
      .slice(start)
      .filter((line) => !/: Consumed .* CPU time/.test(line))
      // Since 262 it mentions a controller that machines of the lab may not have.
      // Newer releases stamp their own lines of the transaction's unit with the pass's as well.
      .filter(
        (line) => !/^(?:Starting|Started|Stopping|Stopped) (?:svc-upgrade-transaction\.service - )?svc-upgrade: /.test(line),
      )
      .filter((line) => !line.startsWith("svc-upgrade-transaction.service: "))
      .filter((line) => !/: Failed to read pids\.max for control group /.test(line))
      .map(timeless)
  );
}

function timeless(line: string): string {
  return (
    line
      // systemd before 249 leaves out the unit's name, and has another word for its end.
      .replace(/^(Starting|Finished) (?!svc-upgrade\.service - )/, "$1 svc-upgrade.service - ")
      .replace(/^svc-upgrade\.service: Succeeded\.$/, "svc-upgrade.service: Deactivated successfully.")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME")
      .replace(/\bseconds=\d+/g, "seconds=N")
      .replace(/\d+ files and directories/, "N files and directories")
      .replace(/\.\.\.\/\S+\.deb/, ".../PACKAGE.deb")
  );
}
