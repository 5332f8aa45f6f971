/** Addresses of loopback, one for each listener. */
export type Ports = { readonly auth: number; readonly authLook: number; readonly web: number; readonly webLook: number };

export function configuration(scratch: string, { auth, authLook, web, webLook }: Ports): string {
  return `svc:
  data_dir: ${scratch}/data
auth_service:
  cluster_name: example
  public_addr: 127.0.0.1
  listen_addr: 127.0.0.1:${auth}
  diag_addr: 127.0.0.1:${authLook}
  # A password alone, because nobody here has a telephone at hand: left out, one-time codes are asked for.
  second_factor: off
proxy_service:
  public_addr: 127.0.0.1:${web}
  web_listen_addr: 127.0.0.1:${web}
  diag_addr: 127.0.0.1:${webLook}
  https_keypairs: [{key_file: ${scratch}/proxy.key, cert_file: ${scratch}/proxy.crt}]
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
    utc_start_hour: 2
    weekdays: [Tue, Thursday]
`;

/** Of the same kind as what is there: what alice would have of it. */
export const later: string = maintenance.replace(/^[^]*---\n/, "").replace("utc_start_hour: 2", "utc_start_hour: 3");

/** A password, and in place of a code an empty line. */
export const answers = "correct horse battery staple\n\n";

/** Two faults: the key is another one, and there is no such day. */
export const slips = `kind: cluster_maintenance_config
spec:
  agent_upgrades:
    start_hour: 3
    weekdays: [Tue, Thirsday]
`;
