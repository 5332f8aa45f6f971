import type { Family } from "./base.ts";
import type { Host } from "./host.ts";
import { until } from "./until.ts";

export type HeldLock = { readonly release: () => Promise<void> };

const unit = "lock-holder.service";

/** dpkg's is a lock of the kernel's on a file, as the fields of struct flock; those of dnf and zypper name a process that lives. */
const scripts: Readonly<Record<Family, string>> = {
  apt: `exec perl -MFcntl -e 'open(my $file, "+>>", "/var/lib/dpkg/lock-frontend") or die $!;
    my $lock = pack("ssx4qqi", F_WRLCK, 0, 0, 0, 0); fcntl($file, F_SETLK, $lock) or die $!; open(my $held, ">", "/run/lock-held"); sleep'`,
  yum: holdByPid("/var/cache/dnf/metadata_lock.pid", "/var/cache/dnf/download_lock.pid", "/var/lib/dnf/rpmdb_lock.pid"),
  zypper: holdByPid("/run/zypp.pid"),
};

/** Keeps every other process from a transaction, as a package manager does that never ends. */
export async function holdManagerLock(host: Host): Promise<HeldLock> {
  await host.write("/root/hold-lock", scripts[host.family]);
  await host.mustRun(["systemd-run", "--quiet", `--unit=${unit}`, "sh", "/root/hold-lock"]);
  await until("the lock to be held", 10_000, async () =>
    (await host.enter(["test", "-e", "/run/lock-held"])).status === 0 ? true : undefined,
  );
  return {
    release: async () => {
      await host.mustRun(["systemctl", "stop", unit]);
      await host.mustRun(["rm", "/run/lock-held"]);
    },
  };
}

function holdByPid(...files: readonly string[]): string {
  return `for file in ${files.join(" ")}; do printf %s $$ >$file; done; touch /run/lock-held; exec sleep infinity`;
}
