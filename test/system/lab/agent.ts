import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { cacheDirectory, type Family } from "./base.ts";
import { isOfSystemd, longestExecMs } from "./executables.ts";
import type { Host } from "./host.ts";
import { buildPackage, packageVersion } from "./package.ts";
import { relationsOf, type PackageFile, type PackageRecipe, type Relations } from "./package-recipe.ts";
import { installPackage, refreshLists } from "./package-tools.ts";
import { mustRun } from "./program.ts";
import { until } from "./until.ts";

export type AgentOptions = Relations & {
  /** What it is served as and, unless `speaks` differs, what it says it is. */
  readonly version: string;
  /** How the repository wraps it; see `packageVersion` for what it is unless said. */
  readonly packageVersion?: string;
  readonly packageName?: string;
  /** What `svc version` says, where that is not what the package claims. */
  readonly speaks?: string;
  /**
   * On SIGHUP: "exec" becomes the installed file, in the same process; "fork" leaves that to a child, so that the main process
   * changes; "reread" reads its configuration and keeps running the old code.
   */
  readonly reload?: "exec" | "fork" | "reread";
  /** "crashes-late": once a move to it has ended well, where its settle time is some seconds. */
  readonly start?: "runs" | "crashes" | "crashes-later" | "crashes-late";
  /** The file /usr/bin/svc: without the right to run it, or not in the package at all. */
  readonly binary?: "whole" | "not-executable" | "absent";
  /**
   * Maintainer scripts: none, what packagers' tools write (restart on upgrade), a postinst that fails, one that takes its time, a
   * preinst that refuses, or some of each kind that leave time to kill them.
   */
  readonly scripts?: "silent" | "restart" | "failing" | "slow" | "held" | "refusing" | "unhurried";
  /** Files an admin may edit, by path. */
  readonly conffiles?: Readonly<Record<string, string>>;
};

const source = join(import.meta.dirname, "agent.c");
const shellFifo = "/run/svc.shell";

/** Builds the agent's package for a host; the answer is the path of the package, for `repository.publish`. */
export async function buildAgent(host: Host, options: AgentOptions): Promise<string> {
  const binary = options.binary ?? "whole";
  const files: Record<string, PackageFile> = { "/usr/lib/systemd/system/svc.service": { content: unitText(options) } };
  if (binary !== "absent") {
    files["/usr/bin/svc"] = { content: { file: await compiledAgent(options) }, mode: binary === "whole" ? 0o755 : 0o644 };
  }
  for (const [path, content] of Object.entries(options.conffiles ?? {})) files[path] = { content };
  return buildPackage(host, {
    name: options.packageName ?? "svc-ent",
    version: options.packageVersion ?? packageVersion(host, options.version),
    files,
    ...(options.conffiles === undefined ? {} : { conffiles: Object.keys(options.conffiles) }),
    ...relationsOf(options),
    scripts: agentScripts(host.family, options.scripts ?? "silent"),
  });
}

/** Installs a published version as the first on the host, enables its unit and starts it. */
export async function installAgent(host: Host, version: string, packageName: string = "svc-ent"): Promise<void> {
  await refreshLists(host);
  await installPackage(host, packageName, version);
  await host.mustRun(["systemctl", "enable", "--now", "--quiet", "svc.service"]);
}

export type AgentProcess = {
  readonly pid: number;
  /** What /proc/PID/exe says: with " (deleted)" when the installed file is another by now. */
  readonly executable: string;
  /** What the running code says of itself, whatever lies at /usr/bin/svc. */
  readonly speaks: string;
};

/** The unit's main process, looked at from the outside; undefined when there is none. */
export async function agentProcess(host: Host): Promise<AgentProcess | undefined> {
  const main = await until("the main process of svc.service executes its program", longestExecMs, () => mainProcess(host));
  if (main === "none") return undefined;
  const speaks = await host.enter([`/proc/${main.pid}/exe`, "version"]);
  return { ...main, speaks: speaks.stdout.trim() };
}

/** Undefined: it has not executed the unit's program yet, or it has just ended. */
async function mainProcess(host: Host): Promise<Omit<AgentProcess, "speaks"> | "none" | undefined> {
  const shown = await host.enter(["systemctl", "show", "--property=MainPID", "--value", "svc.service"]);
  const pid = Number(shown.stdout);
  if (pid === 0) return "none";
  const executable = (await host.enter(["readlink", `/proc/${pid}/exe`])).stdout.trim();
  return executable === "" || isOfSystemd(executable) ? undefined : { pid, executable };
}

/**
 * Has a shell line run by a child of the agent, inside its unit: where the session of an admin lives who is logged in through it.
 * Returns at once; the line leaves its results in files. It dies when the unit is stopped or restarted.
 */
export async function runInsideAgent(host: Host, line: string): Promise<void> {
  await host.mustRun(["sh", "-c", `printf '%s\\n' "$1" >${shellFifo}`, "inside", line]);
}

/** The unit as the interface description gives it; the "fork" shape also names its pid file, as it must to be followed. */
function unitText(options: AgentOptions): string {
  return `[Unit]
Description=Stand-in agent
After=network.target

[Service]
Type=simple
Restart=always
RestartSec=5
EnvironmentFile=-/etc/default/svc
ExecStart=/usr/bin/svc start --config /etc/svc.yaml --pid-file=/run/svc.pid
ExecReload=/bin/sh -c "exec pkill -HUP -F /run/svc.pid"
${options.reload === "fork" ? "PIDFile=/run/svc.pid\n" : ""}LimitNOFILE=524288

[Install]
WantedBy=multi-user.target
`;
}

type Scripts = NonNullable<PackageRecipe["scripts"]>;

export function agentScripts(family: Family, kind: NonNullable<AgentOptions["scripts"]>): Scripts {
  switch (kind) {
    case "silent":
      return {};
    case "slow":
      return { postinst: "sleep 4\n" };
    case "held":
      return { postinst: holdOnce };
    case "failing":
      return { postinst: 'echo "svc-ent: the postinst fails" >&2\nexit 1\n' };
    case "refusing":
      return { preinst: 'echo "svc-ent: the preinst fails" >&2\nexit 1\n' };
    case "unhurried":
      return { preinst: "sleep 0.2\n", postinst: sayAndRest, prerm: "sleep 0.2\n", postrm: "sleep 0.2\n" };
    case "restart":
      return family === "apt" ? restartByDebhelper : restartByRpm;
  }
}

/** For whoever cuts the power while both versions are there: the first time, it waits for that. */
const holdOnce = "[ -e /var/lib/svc-ent.held ] && exit 0\ntouch /var/lib/svc-ent.held\nsleep 90\n";

/** For whoever waits for the moment in which a version is being set up. */
const sayAndRest = "/usr/bin/svc version >/run/svc-ent.setting-up || true\nsleep 0.3\n";

const restartByDebhelper: Scripts = {
  postinst: `if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
  if [ -n "$2" ]; then action=restart; else action=start; fi
  deb-systemd-invoke "$action" svc.service >/dev/null || true
fi
`,
};

/** What %systemd_post and %systemd_postun_with_restart come to; an rpm starts nothing at its first installation. */
const restartByRpm: Scripts = {
  postinst: `if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi\n`,
  postrm: `if [ "$1" -ge 1 ] && [ -d /run/systemd/system ]; then systemctl try-restart svc.service || true; fi\n`,
};

async function compiledAgent(options: AgentOptions): Promise<string> {
  const macros = [
    `-DVERSION="${options.speaks ?? options.version}"`,
    `-DRELOAD=RELOAD_${macroName(options.reload ?? "reread")}`,
    `-DSTART=START_${macroName(options.start ?? "runs")}`,
  ];
  const recipe = createHash("sha256")
    .update(await readFile(source))
    .update(macros.join(" "));
  const directory = join(await cacheDirectory(), "agents");
  const target = join(directory, recipe.digest("hex").slice(0, 16));
  if (await isThere(target)) return target;
  await mkdir(directory, { recursive: true });
  // Another scenario of this process may be compiling the same one.
  const half = `${target}.${randomUUID()}`;
  await mustRun(["gcc", "-static", "-O1", "-s", ...macros, "-o", half, source]);
  await rename(half, target);
  return target;
}

function macroName(behaviour: string): string {
  return behaviour.toUpperCase().replaceAll("-", "_");
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
