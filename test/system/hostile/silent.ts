import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "../lab/host.ts";
import type { Stage } from "../lab/scenario.ts";
import { mustRun } from "../lab/program.ts";
import { until } from "../lab/until.ts";

const server = "/opt/silent-fs";
const unit = "silent-fs";

/** Why no user of a host can mount anything here; undefined where one can. */
export const missingForSilence: string | undefined = existsSync("/dev/fuse")
  ? undefined
  : "This machine has no /dev/fuse: run modprobe fuse.";

/** Users of the host may mount FUSE, and let others in: only then anybody else waits in there. */
export async function allowMounts({ host }: Stage): Promise<void> {
  const binary = join(host.directory, "silent-fs");
  await mustRun(["gcc", "-static", "-O1", "-s", "-o", binary, join(import.meta.dirname, "../lab/silent-fs.c")]);
  await host.copyIn(binary, server, { mode: "0755" });
  await host.mustRun(["sh", "-c", "mknod -m 0666 /dev/fuse c 10 229 && echo user_allow_other >/etc/fuse.conf"]);
}

/** The ordinary user mounts a file system that never answers. It lasts until `speak`. */
export async function silence(host: Host, point: string, options: string = "allow_other"): Promise<void> {
  const flags = ["--quiet", "--collect", `--unit=${unit}`, "--uid=ordinary"];
  await host.mustRun(["systemd-run", ...flags, server, point, options]);
  await until("the file system is mounted", 10_000, async () => {
    const { status } = await host.enter(["grep", "--quiet", ` ${point} .* - fuse `, "/proc/self/mountinfo"]);
    return status === 0 ? true : undefined;
  });
}

/** Whoever waits is let go. */
export async function speak(host: Host): Promise<void> {
  await host.mustRun(["systemctl", "stop", unit]);
}
