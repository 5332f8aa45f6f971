import type { InPod } from "../../kube/objects/fields.ts";
import { isSameListener, printHostPort, type HostPort } from "../../rules/route/host-port.ts";
import { readConfiguration } from "../../proxy/server-rules/read-configuration.ts";
import { publicAddresses } from "../../proxy/server-rules/read-values.ts";
import { nearest } from "../../rules/text/nearest.ts";
import { parsePath } from "../../rules/settings/read-text.ts";
import { check, readLevel, unknownKey } from "../../rules/shape/check.ts";
import { matching, parsed } from "../../rules/shape/shape.ts";
import { describe, isMapping, type Mapping, type Refusal } from "../../rules/shape/reading.ts";
import type { Origin, SettingFault } from "../../rules/settings/settings.ts";
import type { Version } from "../../rules/version/version.ts";
import { labels } from "../resource/name.ts";
import { readAuthSection } from "./auth-section.ts";
import { join } from "./join-section.ts";
import { kube, withPod } from "./kube-section.ts";
import { readSshSection } from "./ssh-section.ts";
import type { Services } from "./services.ts";

export type ReadServices =
  | { readonly kind: "services"; readonly services: Services; readonly remarks: readonly string[] }
  | { readonly kind: "faults"; readonly faults: readonly SettingFault[] };

export type Source = {
  readonly origin: Origin;
  readonly ownVersion: Version;
  readonly ownHost?: string | undefined;
  /** Called only if the file says that this is a pod. */
  readonly pod?: () => InPod;
};

const noPod: InPod = { namespace: undefined, apiServer: undefined };

const defaultDataDirectory = "/var/lib/svc";

const dataDirectory = parsed(
  (text) => parsePath(text.replace(/(?<=.)\/+$/, "")),
  "an absolute path of a directory, for example /var/lib/svc",
);
const updaterRoot = parsed(
  (text) => (text === "/" ? text : parsePath(text.replace(/(?<=.)\/+$/, ""))),
  "an absolute path of a directory, as `svc-upgrade --root` takes it, for example /",
);
const nodename = matching(
  /^(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?$/i,
  "a host name that is no UUID: letters, digits and . _ -, at most 254",
);
const svcFields = { data_dir: dataDirectory, nodename, labels, updater_root: updaterRoot, join, kube };

/** svc-upgrade's key for its endpoint, in `svc` or at the top. It is not read here, but it is no mistake. */
const updaters = "proxy_server";

/** Sections of the platform that nothing here serves. They are known, so that they do not count as misspelt. */
const foreign: readonly string[] = [
  "app_service",
  "db_service",
  "debug_service",
  "discovery_service",
  "jamf_service",
  "kubernetes_service",
  "okta_service",
  updaters,
  "version",
  "windows_desktop_service",
];
const ours: readonly string[] = ["svc", "auth_service", "proxy_service", "ssh_service"];

/** Reads the whole of /etc/svc.yaml: every enabled service, or all faults. */
export function readServices(raw: unknown, { origin, ownVersion, ownHost, pod = () => noPod }: Source): ReadServices {
  const top = raw ?? {};
  const fault = ({ at, found, allowed }: Refusal): SettingFault => ({ origin, key: at, found, allowed });
  if (!isMapping(top)) return { kind: "faults", faults: [fault({ at: "", found: describe(raw), allowed: "a mapping" })] };
  const sections = readSections(top);
  const svc = readLevel(sections.mappings["svc"] ?? {}, svcFields, { kind: "others", known: [updaters] });
  const auth = readAuthSection(sections.mappings["auth_service"]);
  const proxy = readProxy(top, sections.mappings["proxy_service"], { origin, ownVersion, ownHost });
  const ssh = readSshSection(sections.mappings["ssh_service"]);
  const others = readOthers(sections.mappings);
  const inKube = withPod(svc.values.kube, pod);
  const services: Services = {
    dataDirectory: svc.values.data_dir ?? defaultDataDirectory,
    nodename: svc.values.nodename,
    labels: svc.values.labels ?? {},
    updaterRoot: svc.values.updater_root ?? "/",
    join: svc.values.join,
    kube: inKube.configuration,
    auth: auth.configuration,
    proxy: proxy.configuration,
    ssh: ssh.configuration,
  };
  const refusals = [
    ...sections.refusals,
    ...svc.refusals.map((refusal) => ({ ...refusal, at: `svc${refusal.at}` })),
    ...inKube.refusals,
    ...auth.refusals,
    ...ssh.refusals,
    ...others.refusals,
  ];
  const faults = [...refusals.map(fault), ...proxy.faults];
  const together =
    faults.length > 0 ? [] : [...tooLongPath(services), ...joinOfAuth(services), ...sameListeners(services)].map(fault);
  if (faults.length + together.length > 0) return { kind: "faults", faults: [...faults, ...together] };
  const nobodys = svc.passedOver.filter((name) => name !== updaters);
  const passedOver = nobodys.map((name) => `svc.${name} is not read by this program, and is passed over`);
  const alone = sections.passedOver.map((name) => `${name} is not read by this program, and is passed over`);
  return {
    kind: "services",
    services,
    remarks: [...alone, ...passedOver, ...auth.remarks, ...proxy.remarks, ...ssh.remarks, ...others.remarks],
  };
}

type Sections = {
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly refusals: readonly Refusal[];
  /** Unknown keys that are not sections. */
  readonly passedOver: readonly string[];
};

/** An empty section counts as an empty mapping. */
function readSections(top: Mapping): Sections {
  const mappings: Record<string, Mapping> = {};
  const refusals: Refusal[] = [];
  const passedOver: string[] = [];
  for (const [name, value] of Object.entries(top)) {
    // Refuses these keys at the top: if auth ignored them, it would begin a cluster in the default directory.
    if (Object.hasOwn(svcFields, name)) {
      refusals.push({ at: name, found: unknownKey(`svc.${name}`), allowed: "in the section svc" });
      continue;
    }
    const meant = ours.includes(name) || foreign.includes(name) ? undefined : nearest(name, [...ours, ...foreign]);
    if (meant !== undefined && ours.includes(meant)) {
      refusals.push({ at: name, found: unknownKey(meant), allowed: `${ours.join(", ")}, and the sections of other services` });
    } else if (isMapping(value ?? {})) mappings[name] = (value ?? {}) as Mapping;
    else if (ours.includes(name)) refusals.push({ at: name, found: describe(value), allowed: "a mapping" });
    else if (!foreign.includes(name)) passedOver.push(name);
  }
  return { mappings, refusals, passedOver };
}

type ReadProxy = {
  readonly configuration: Services["proxy"];
  readonly faults: readonly SettingFault[];
  readonly remarks: readonly string[];
};

/** Reads the section by svc-proxy's rules. Reads a disabled section too, so that its faults are found before it is enabled. */
function readProxy(top: Mapping, section: Mapping | undefined, { origin, ownVersion, ownHost }: Source): ReadProxy {
  if (section === undefined) return { configuration: undefined, faults: [], remarks: [] };
  const { enabled, ...rest } = section;
  const isOff = enabled === "no" || enabled === "false" || enabled === false;
  const proxied = { ...top, proxy_service: isOff ? rest : section };
  const read = readConfiguration(proxied, { origin, ownVersion, ownHost, program: "svc" });
  if (read.kind === "configuration") {
    return { configuration: isOff ? undefined : read.configuration, faults: [], remarks: isOff ? [] : read.remarks };
  }
  // Leaves out auth's section, which is read separately and reported once.
  const faults = read.faults.filter(({ key }) => !key.startsWith("auth_service"));
  // A disabled service need not say where clients reach it.
  const told = isOff ? faults.filter(({ key, found }) => !(key === "proxy_service.public_addr" && found === "nothing")) : faults;
  return { configuration: undefined, faults: told, remarks: [] };
}

type ReadOthers = { readonly refusals: readonly Refusal[]; readonly remarks: readonly string[] };

/** Checks the public address of another host's service, because clients are sent there. */
function readOthers(mappings: Sections["mappings"]): ReadOthers {
  const refusals: Refusal[] = [];
  const remarks: string[] = [];
  for (const [name, section] of Object.entries(mappings)) {
    if (ours.includes(name)) continue;
    remarks.push(`${name} is not read by this program, and is passed over`);
    const given = section["public_addr"] ?? undefined;
    const reading = given === undefined ? undefined : check(publicAddresses, given);
    if (reading?.kind !== "refused") continue;
    for (const { at, found, allowed } of reading.refusals) {
      refusals.push({ at: `${name}.public_addr${at}`, found, allowed });
    }
  }
  return { refusals, remarks };
}

/** The longest path that leaves room for root's socket: the system allows 107 bytes. */
const mostDirectoryBytes = 107 - "/root/auth.sock".length;

function tooLongPath({ auth, dataDirectory: path }: Services): readonly Refusal[] {
  const { length } = new TextEncoder().encode(path);
  if (auth === undefined || length <= mostDirectoryBytes) return [];
  return [
    {
      at: "svc.data_dir",
      found: `a path of ${length} bytes`,
      allowed: `at most ${mostDirectoryBytes}: root's socket lies below it`,
    },
  ];
}

function joinOfAuth({ auth, join: joining }: Services): readonly Refusal[] {
  if (auth === undefined || joining === undefined) return [];
  return [{ at: "svc.join", found: "a mapping beside auth_service", allowed: "nothing: the host of auth joins by itself" }];
}

/** Compares auth's listener with the proxy's. The proxy's own rules compare its two. */
function sameListeners({ auth, proxy }: Services): readonly Refusal[] {
  const listeners: readonly (readonly [string, HostPort])[] = [
    ...(proxy === undefined
      ? []
      : ([
          ["proxy_service.web_listen_addr", proxy.listen],
          ["proxy_service.diag_addr", proxy.diagnostics],
        ] as const)),
    ...(auth === undefined
      ? []
      : ([
          ["auth_service.listen_addr", auth.listen],
          ["auth_service.diag_addr", auth.diagnostics],
        ] as const)),
  ];
  return listeners.flatMap(([key, at], index) => {
    const taken = listeners.slice(0, index).find(([, other]) => isSameListener(at, other));
    return taken === undefined
      ? []
      : [{ at: key, found: `${printHostPort(at)}, where ${taken[0]} listens already`, allowed: "another address or port" }];
  });
}
