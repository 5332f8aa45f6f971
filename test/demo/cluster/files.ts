/** Addresses of loopback, one for each listener. */
export type Ports = {
  readonly auth: number;
  readonly authLook: number;
  readonly web: number;
  readonly webLook: number;
  readonly sshd: number;
};

export function configuration(scratch: string, { auth, authLook, web, webLook }: Ports): string {
  return `svc:
  data_dir: ${scratch}/data
auth_service:
  cluster_name: example
  public_addr: 127.0.0.1
  listen_addr: 127.0.0.1:${auth}
  diag_addr: 127.0.0.1:${authLook}
  # Hosts report every second, so that nobody has to wait: left out, every ten minutes.
  report_interval: 1s
  # A password alone, because nobody here has a telephone at hand: left out, one-time codes are asked for.
  second_factor: off
proxy_service:
  public_addr: 127.0.0.1:${web}
  web_listen_addr: 127.0.0.1:${web}
  diag_addr: 127.0.0.1:${webLook}
  https_keypairs: [{key_file: ${scratch}/proxy.key, cert_file: ${scratch}/proxy.crt}]
  automatic_upgrades_channels: {default: {static_version: v15.4.5}}
`;
}

/** Of another host, with a directory of its own. */
export function proxyConfiguration(scratch: string, name: string): string {
  return `svc:
  data_dir: ${scratch}/${name}
proxy_service:
  public_addr: ${name}.example.com
`;
}

/** A host without services; its updater lies in a root of its own. */
export function hostConfiguration(scratch: string, name: string, sshd?: number): string {
  return `svc:
  data_dir: ${scratch}/${name}
  updater_root: ${scratch}/${name}.root
  nodename: ${name}
  labels: {env: ${name === "web1" ? "canary" : "prod"}}
${sshd === undefined ? "" : `ssh_service: {enabled: yes, sshd_addr: "127.0.0.1:${sshd}"}\n`}`;
}

/** So that the window is closed for hours, whenever the demo is shown. */
const hour: number = (new Date().getUTCHours() + 10) % 24;
/** The hour, and those after it, as the file of resources and a clock have them. */
export const hours: readonly number[] = [0, 1, 2, 3].map((later) => (hour + later) % 24);
const windowAt = (later: number): string =>
  maintenance.replace(/^[^]*---\n/, "").replace(/(?<=utc_start_hour: )\d+/, String(hours[later]));

/** Who may say when agents move, and when they do. */
export const maintenance = `kind: role
version: v7
metadata:
  name: maintenance-manager
spec:
  allow:
    rules:
      - resources: [cluster_maintenance_config]
        verbs: [create, read, update, delete]
---
kind: cluster_maintenance_config
spec:
  agent_upgrades:
    utc_start_hour: ${hour}
    weekdays: [Tue, Thursday]
`;

/** A new version for web1, which says itself that it is a canary; for the others later. */
export const rollout = `kind: rollout
version: v1
metadata: {name: agents}
spec:
  channel: default
  target: v15.4.6
  stages:
    - {name: canary, select: {labels: {host/env: canary}}, soak: 1h}
    - {name: rest, select: others, soak: 24h, at_once: 20%}
`;

/** Another hour, for everybody. */
export const tonight: string = windowAt(3);

/** Of the same kind as what is there: what alice would have of it. */
export const later: string = windowAt(1);

/** What somebody else makes of it meanwhile. */
export const theirs: string = windowAt(2);

/** A password, and in place of a code an empty line. */
export const answers = "correct horse battery staple\n\n";

/** Two faults: the key is another one, and there is no such day. */
export const slips = `kind: cluster_maintenance_config
spec:
  agent_upgrades:
    start_hour: 3
    weekdays: [Tue, Thirsday]
`;
