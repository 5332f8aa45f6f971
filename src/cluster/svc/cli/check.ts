import { encode } from "../../../rules/shape/write.ts";
import { printHostPort, type Address } from "../../../rules/route/host-port.ts";
import type { Configuration } from "../../../proxy/server-rules/configuration.ts";
import type { JoinConfiguration } from "../../services/join-section.ts";
import type { KubeConfiguration } from "../../services/kube-section.ts";
import type { SshConfiguration } from "../../services/ssh-section.ts";
import type { AuthConfiguration, Services } from "../../services/services.ts";
import { routeFor } from "../../../rules/route/route.ts";
import { always, answer, line, list, recordOf, sometimes, told } from "../../../rules/shape/answer.ts";
import { count } from "../../../rules/shape/shape.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import { checkAsUnit } from "../../../proxy/server/cli/check-as-unit.ts";
import { readStorageFiles } from "../../storage/open-store.ts";
import type { LoadedServices } from "../load.ts";
import type { Options, ServerContext } from "../../../proxy/server/cli/called.ts";
import { proxiesFor } from "../routes-by-environment.ts";
import { loadFor } from "./context.ts";

type Found = { readonly config: string; readonly services: Services; readonly remarks: readonly string[] };

const authShape = recordOf<AuthConfiguration>("the auth service")({
  cluster_name: always("the cluster's name, which it keeps", line, "clusterName"),
  listen: always("the address and port that would be listened on", line, ({ listen }) => printHostPort(listen)),
  public_addr: always("where others reach it", list(told("an address, with a port or without", line)), ({ publicAddresses }) =>
    publicAddresses.map(printAddress),
  ),
  diag_addr: always("where it is looked at", line, ({ diagnostics }) => printHostPort(diagnostics)),
  storage: always("where the store is kept", line, ({ storage }) => printStorage(storage)),
  certificate_seconds: always("how long a certificate lives", count, ({ times }) => times.certificateSeconds),
  audit_seconds: always("how long the audit is kept", count, ({ times }) => times.auditSeconds),
});

const proxyShape = recordOf<Configuration>("the Proxy Service")({
  listen: always("the address and port that would be listened on", line, ({ listen }) => printHostPort(listen)),
  public_addr: always("the address and port that clients are told", line, ({ publicAddress }) => printHostPort(publicAddress)),
  diag_addr: always("where it is looked at", line, ({ diagnostics }) => printHostPort(diagnostics)),
  channels: always("the names of its channels, default first", list(told("a name", line)), ({ channels }) => [
    ...channels.keys(),
  ]),
});

const joinShape = recordOf<JoinConfiguration>("how this host joins by itself")({
  auth_server: always("auth or proxies of the cluster", line, "authServer"),
  ca_pin: always("what the cluster's CA has to be", line, "caPin"),
  token_file: always("the file with the token", line, "tokenFile"),
});

const kubeShape = recordOf<KubeConfiguration>("the object that this pod belongs to")({
  namespace: always("its namespace", line, "namespace"),
  kind: always("StatefulSet or Deployment", line, ({ object }) => object.kind),
  name: always("its name", line, ({ object }) => object.name),
  schedule_secret: always("the Secret into which the cluster's windows are written", line, "scheduleSecret"),
});

const sshShape = recordOf<SshConfiguration>("shells on this host")({
  sshd_addr: always("where its sshd listens", line, ({ sshd }) => printHostPort(sshd)),
});

export const checkAnswer = answer<Found>("What would be run; where the configuration is wrong, the answer is a fault.")({
  config: always("the file that was read; where none is there, a remark says so", line, "config"),
  data_dir: always("the directory that everything is kept in", line, ({ services }) => services.dataDirectory),
  updater_root: always("below which the files of this host's updater lie", line, ({ services }) => services.updaterRoot),
  join: sometimes("where it joins by itself", joinShape, ({ services }) => services.join),
  kube: sometimes("where it is a pod whose updater is svc-kube-updater", kubeShape, ({ services }) => services.kube),
  auth_service: sometimes("where it is enabled", authShape, ({ services }) => services.auth),
  proxy_service: sometimes("where it is enabled", proxyShape, ({ services }) => services.proxy),
  ssh_service: sometimes("where it is enabled", sshShape, ({ services }) => services.ssh),
  remarks: always("allowed settings that may be mistakes", list(told("in words, for people", line)), "remarks"),
});

/** Checks whether the unit would start with its configuration and files. Checks as the unit's user, if possible. */
export async function check(options: Options, context: ServerContext): Promise<number> {
  const { surroundings, log } = context;
  const { config, isConfigNamed } = options;
  const asUnit = await checkAsUnit({
    program: "svc",
    starts: "start",
    config: isConfigNamed ? config : undefined,
    options,
    run: runCommand,
    log,
  });
  if (asUnit.kind === "not-looked-at") return checkHere(options, { ...context, notLookedAt: asUnit.why });
  surroundings.out(asUnit.stdout);
  surroundings.error(asUnit.stderr);
  return asUnit.status;
}

type Here = ServerContext & { readonly notLookedAt: string | undefined };

/** Checks as this user, inside the unit or not. */
export async function checkHere(options: Options, { surroundings, log, notLookedAt }: Here): Promise<number> {
  const { config, json } = options;
  const { out } = surroundings;
  const loaded = await loadFor(options, surroundings);
  refuseOwnProxies(surroundings);
  const { services } = loaded;
  if (services.auth?.storage !== undefined) readStorageFiles(services.auth.storage);
  const remarks = [
    ...loaded.remarks,
    ...(loaded.file === "read" ? [] : [`${config} does not exist: nothing is enabled`]),
    ...(notLookedAt === undefined ? [] : [`it was not looked at whether svc.service may read these files: ${notLookedAt}`]),
  ];
  for (const remark of remarks) log("warning", remark, {});
  out(json ? `${JSON.stringify(encode(checkAnswer, { config, services, remarks }))}\n` : text(config, loaded));
  return 0;
}

/** Refuses faulty proxy variables now: the program reads a variable only when it connects. */
function refuseOwnProxies({ environment }: ServerContext["surroundings"]): void {
  const variables = proxiesFor(environment);
  for (const url of ["https://proxy-variables.invalid", "http://proxy-variables.invalid"]) routeFor(url, variables);
}

function text(config: string, { services, file }: LoadedServices): string {
  const { auth, proxy, ssh, join, kube, dataDirectory, updaterRoot } = services;
  const lines = [
    ...(auth === undefined ? [] : [`auth_service   the cluster ${auth.clusterName}, on ${printHostPort(auth.listen)}`]),
    ...(auth?.storage === undefined ? [] : [`               store: ${printStorage(auth.storage)}`]),
    ...(proxy === undefined ? [] : [`proxy_service  ${printHostPort(proxy.publicAddress)}, on ${printHostPort(proxy.listen)}`]),
    ...(proxy === undefined ? [] : [`               channels: ${[...proxy.channels.keys()].join(", ")}`]),
    ...(ssh === undefined ? [] : [`ssh_service    shells at the sshd on ${printHostPort(ssh.sshd)}`]),
    ...(auth === undefined && proxy === undefined && ssh === undefined ? ["a plain host   no service is enabled"] : []),
    ...(join === undefined ? [] : [`join           by itself, at ${join.authServer}, with the token in ${join.tokenFile}`]),
    ...(kube === undefined
      ? []
      : [`kube           a pod of ${referenceOf(kube)}, whose windows go into secret/${kube.scheduleSecret}`]),
    `data_dir       ${dataDirectory}`,
    ...(updaterRoot === "/" ? [] : [`updater_root   ${updaterRoot}`]),
  ];
  return `${config} ${file === "read" ? "is right" : "does not exist, so this is"}:\n${lines.map((one) => `  ${one}\n`).join("")}`;
}

function referenceOf({ namespace, object: { kind, name } }: KubeConfiguration): string {
  return `${kind.toLowerCase()}/${name} in ${namespace}`;
}

function printAddress({ host, port }: Address): string {
  return port === undefined ? host : printHostPort({ host, port });
}

function printStorage(storage: AuthConfiguration["storage"]): string {
  if (storage === undefined) return "sqlite, below data_dir";
  const { user, host, port, database } = storage;
  return `postgresql://${user}@${host.startsWith("/") ? host : printHostPort({ host, port })}/${database}`;
}
