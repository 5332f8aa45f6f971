import type { Host } from "../lab/host.ts";

const names = [
  "managerKib",
  "managerFiles",
  "journaldKib",
  "journaldFiles",
  "processes",
  "zombies",
  "units",
  "transientUnits",
  "mounts",
  "cgroups",
  "filesInRun",
  "filesInTmp",
  "stateBytes",
  "filesOfState",
  "diskKib",
  "journalLines",
  "journalBytes",
] as const;

/** What passes could leave on a host. The journal's are those since the cursor that was given. */
export type HostFigures = Readonly<Record<(typeof names)[number], number>> & { readonly cursor: string };

const script = `
journalctl --sync
journald=$(systemctl show --property=MainPID --value systemd-journald.service)
memory() { sed -n 's/^VmRSS:[^0-9]*\\([0-9]*\\) kB/\\1/p' /proc/$1/status; }
files() { ls /proc/$1/fd | wc -l; }
below() { find "$@" 2>/dev/null | wc -l; }
units="--unit=svc-upgrade --unit=svc-upgrade-ask"
memory 1
files 1
memory $journald
files $journald
ls -d /proc/[0-9]* | wc -l
grep -sl '^State:.Z' /proc/[0-9]*/status | wc -l
systemctl list-units --all --no-legend | wc -l
ls /run/systemd/transient 2>/dev/null | wc -l
wc -l </proc/mounts
below /sys/fs/cgroup -type d
below /run -path /run/log -prune -o -print
below /tmp /var/tmp
stat --format=%s /var/lib/svc-upgrade-decide/state.json
below /var/lib/svc-upgrade
du -skx --exclude=/var/log/journal / | cut -f1
journalctl --quiet --output=cat $units --after-cursor="$1" | wc -l
journalctl --quiet --output=export $units --after-cursor="$1" | wc -c
journalctl --quiet --lines=0 --show-cursor | sed 's/^-- cursor: //'
`;

export async function lookAtHost(host: Host, cursor: string = ""): Promise<HostFigures> {
  const since = cursor === "" ? await lastCursor(host) : cursor;
  const { status, stdout, stderr } = await host.enter(["sh", "-c", script, "figures", since]);
  const lines = stdout.trim().split("\n");
  if (status !== 0 || lines.length !== names.length + 1) throw new Error(`the host gave no figures: ${stdout}${stderr}`);
  const figures = Object.fromEntries(names.map((name, index) => [name, Number(lines[index])])) as Record<
    (typeof names)[number],
    number
  >;
  return { ...figures, cursor: lines.at(-1) ?? "" };
}

async function lastCursor(host: Host): Promise<string> {
  const { stdout } = await host.enter(["journalctl", "--quiet", "--lines=0", "--show-cursor"]);
  return stdout.replace("-- cursor: ", "").trim();
}
