import type { AgentFiles, FileOnHost } from "../../rules/settings/settings.ts";

/** The paths of the updater's files below a root: the machine's own or a named one. */
export type Paths = {
  readonly root: string;
  readonly settingsDirectories: readonly string[];
  /** Fragments that `hold` and `pin` write. */
  readonly hold: string;
  readonly pin: string;
  /** The host's time zone, and the known zones. */
  readonly localtime: string;
  readonly zoneinfo: string;
  /** Files that passes leave for later passes; the deciding unit owns them. */
  readonly stateDirectory: string;
  readonly state: string;
  /** Past moves and attempts, for `history`; the deciding unit owns it. */
  readonly history: string;
  readonly lock: string;
  /** The next days' local times as instants. */
  readonly calendar: string;
  /** Notifications that have not arrived yet. */
  readonly notifications: string;
  /** Only the acting unit writes here. */
  readonly rootsDirectory: string;
  /** The lock that is taken before any change. */
  readonly changeLock: string;
  /** The file of the acting unit: the change that passed the gates, and the kept packages. */
  readonly ledger: string;
  /** The settings that the last move began with. */
  readonly begunSettings: string;
  /** Package files for a rollback without a repository. */
  readonly keptPackages: string;
  /** The last lines of the agent's unit before a version was given up. */
  readonly evidence: string;
  /** The last read proxies, for a pass and for the acting unit. */
  readonly passProxies: string;
  readonly actProxies: string;
  readonly asked: string;
  /** Sockets of the asking and of the acting unit. */
  readonly asking: string;
  readonly acting: string;
};

/** The path below another root. Only the machine's root ends with a slash. */
export function belowRoot(root: string, path: string): string {
  return root === "/" ? path : `${root}${path}`;
}

/** The agent's own files. Only the settings know their paths. */
export type AgentPaths = { readonly schedule: string; readonly config: string; readonly environment: string };

export function placeBelow(root: string, { onHost }: FileOnHost): string {
  return belowRoot(root, onHost);
}

export function agentPathsBelow(root: string, { schedule, config, environment }: AgentFiles): AgentPaths {
  const place = (file: FileOnHost): string => placeBelow(root, file);
  return { schedule: place(schedule), config: place(config), environment: place(environment) };
}

export function pathsBelow(root: string): Paths {
  const base = root.replace(/\/+$/, "");
  const stateDirectory = `${base}/var/lib/svc-upgrade-decide`;
  const rootsDirectory = `${base}/var/lib/svc-upgrade`;
  return {
    root: base === "" ? "/" : base,
    settingsDirectories: [`${base}/usr/lib/svc-upgrade`, `${base}/etc/svc-upgrade`],
    hold: `${base}/etc/svc-upgrade/90-hold.yaml`,
    pin: `${base}/etc/svc-upgrade/90-pin.yaml`,
    localtime: `${base}/etc/localtime`,
    zoneinfo: `${base}/usr/share/zoneinfo`,
    stateDirectory,
    state: `${stateDirectory}/state.json`,
    history: `${stateDirectory}/history.json`,
    lock: `${stateDirectory}/lock`,
    calendar: `${stateDirectory}/calendar.json`,
    notifications: `${stateDirectory}/notifications.json`,
    passProxies: `${stateDirectory}/proxies.json`,
    rootsDirectory,
    changeLock: `${rootsDirectory}/lock`,
    ledger: `${rootsDirectory}/ledger.json`,
    begunSettings: `${rootsDirectory}/begun-settings.json`,
    keptPackages: `${rootsDirectory}/packages`,
    evidence: `${rootsDirectory}/evidence`,
    actProxies: `${rootsDirectory}/proxies.json`,
    asked: `${base}/run/svc-upgrade/asked.json`,
    asking: `${base}/run/svc-upgrade-ask.socket`,
    acting: `${base}/run/svc-upgrade-act.socket`,
  };
}
