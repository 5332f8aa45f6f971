/** Where everything lies, below a root: the machine's own, or another one that was named. */
export type Paths = {
  readonly root: string;
  readonly settingsDirectories: readonly string[];
  /** The fragment that `hold` writes, among the others. */
  readonly hold: string;
  readonly schedule: string;
  readonly agentConfig: string;
  readonly agentEnvironment: string;
  readonly stateDirectory: string;
  readonly state: string;
  readonly lock: string;
  /** The settings that the last move began with. */
  readonly begunSettings: string;
  /** The package files for a way back without a repository. */
  readonly keptPackages: string;
  /** What the agent's unit said last before a version was given up. */
  readonly evidence: string;
  readonly request: string;
  /** The proxies for the asking unit, while it runs. */
  readonly proxies: string;
  readonly answer: string;
  readonly probe: string;
  readonly asked: string;
  /** The acting unit's socket. */
  readonly acting: string;
};

export function pathsBelow(root: string): Paths {
  const base = root.replace(/\/+$/, "");
  const stateDirectory = `${base}/var/lib/svc-upgrade`;
  return {
    root: base === "" ? "/" : base,
    settingsDirectories: [`${base}/usr/lib/svc-upgrade`, `${base}/etc/svc-upgrade`],
    hold: `${base}/etc/svc-upgrade/90-hold.yaml`,
    schedule: `${base}/etc/svc-upgrade.d/schedule`,
    agentConfig: `${base}/etc/svc.yaml`,
    agentEnvironment: `${base}/etc/default/svc`,
    stateDirectory,
    state: `${stateDirectory}/state.json`,
    lock: `${stateDirectory}/lock`,
    begunSettings: `${stateDirectory}/begun-settings.json`,
    keptPackages: `${stateDirectory}/packages`,
    evidence: `${stateDirectory}/evidence`,
    request: `${base}/run/svc-upgrade/request.json`,
    proxies: `${base}/run/svc-upgrade/proxies.env`,
    answer: `${base}/run/svc-upgrade-ask/answer.json`,
    probe: `${base}/run/svc-upgrade-ask/probe.json`,
    asked: `${base}/run/svc-upgrade/asked.json`,
    acting: `${base}/run/svc-upgrade-act.socket`,
  };
}
