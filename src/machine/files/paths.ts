import type { AgentFiles, FileOnHost } from "../../rules/settings/settings.ts";

/** Where everything of the updater's lies, below a root: the machine's own, or another one that was named. */
export type Paths = {
  readonly root: string;
  readonly settingsDirectories: readonly string[];
  /** The fragments that `hold` and `pin` write, among the others. */
  readonly hold: string;
  readonly pin: string;
  /** Which time zone the host is set to, and the zones that it may be set to. */
  readonly localtime: string;
  readonly zoneinfo: string;
  /** What passes leave for one another: the deciding unit's own. */
  readonly stateDirectory: string;
  readonly state: string;
  /** What was moved or tried: the deciding unit's own, and for whoever asks what has changed. */
  readonly history: string;
  readonly lock: string;
  /** What the local times of the settings come to in these days. */
  readonly calendar: string;
  /** The notifications that have not arrived yet. */
  readonly notifications: string;
  /** What no unit but the acting one writes. */
  readonly rootsDirectory: string;
  /** Taken before anything is changed. */
  readonly changeLock: string;
  /** What was let past the gates, and what is kept. */
  readonly ledger: string;
  /** The settings that the last move began with. */
  readonly begunSettings: string;
  /** The package files for a rollback without a repository. */
  readonly keptPackages: string;
  /** What the agent's unit said last before a version was given up. */
  readonly evidence: string;
  /** The proxies as they were last read, for a pass and for the acting unit. */
  readonly passProxies: string;
  readonly actProxies: string;
  readonly asked: string;
  /** The sockets of the asking and of the acting unit. */
  readonly asking: string;
  readonly acting: string;
};

/** The same path below a root, whose name has no slash at its end unless it is this machine's. */
export function belowRoot(root: string, path: string): string {
  return root === "/" ? path : `${root}${path}`;
}

/** Where the agent's own files lie. Only the settings say so: no path of them is known without. */
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
