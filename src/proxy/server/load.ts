import { hostname } from "node:os";
import { Fault } from "../../rules/fault/fault.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { parseName } from "../../rules/route/host.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { readYaml } from "../../machine/yaml/read-yaml.ts";
import { loadTrust, type Trust } from "../../machine/network/trust.ts";
import { routeFor, unusableNoProxyEntries, type ProxyVariables } from "../../rules/route/route.ts";
import type { Configuration } from "../server-rules/configuration.ts";
import { readConfiguration } from "../server-rules/read-configuration.ts";
import type { ServingProgram } from "../server-rules/remarks.ts";
import { explainSettingFaults } from "../../rules/settings/explain.ts";
import type { RefusedSetting } from "../../rules/shape/reading.ts";
import type { Origin, SettingFault } from "../../rules/settings/settings.ts";
import type { Version } from "../../rules/version/version.ts";
import { letRead } from "./let-read.ts";
import { readKeyPairs, type KeyPair } from "./key-pairs.ts";

/** A configuration with every file that it names, read and checked. */
export type LoadedConfiguration = {
  readonly configuration: Configuration;
  readonly keyPairs: readonly KeyPair[];
  /** The authorities that upstreams are checked with; undefined if every channel is static. */
  readonly trust: Trust | undefined;
  readonly remarks: readonly string[];
};

/** A cluster's whole configuration has a few hundred lines. */
const longestFileBytes = 1024 * 1024;

/** Whose rights decide which files can be read. */
export type Reader = "unit" | "caller";

type ReadPorts = { readonly ownVersion: Version; readonly reader: Reader };

export type LoadPorts = ReadPorts & { readonly proxies: ProxyVariables };

export type Reading = { readonly path: string; readonly reader: Reader; readonly program: ServingProgram };

type ReadConfiguration = Pick<LoadedConfiguration, "configuration" | "remarks">;

/** Throws a Fault with everything that is wrong. */
export async function load(path: string, { ownVersion, proxies, reader }: LoadPorts): Promise<LoadedConfiguration> {
  const read = await readConfigurationFile(path, { ownVersion, reader });
  return loadFiles(read, { path, reader, program: "svc-proxy", proxies });
}

/** Reads the configured files: certificates, and the authorities of upstreams. */
export function loadFiles(
  read: ReadConfiguration,
  { proxies, ...reading }: Reading & { readonly proxies: ProxyVariables },
): LoadedConfiguration {
  const { configuration } = read;
  const origin: Origin = { kind: "file", path: reading.path };
  const { pairs, refusals, denied, remarks } = readKeyPairs(configuration.keyPairs, Date.now());
  const trust = trustFor(configuration);
  const wrong = trust.kind === "refused" ? [...refusals, trust.refusal] : refusals;
  if (trust.kind === "refused" || wrong.length > 0) {
    const faults = wrong.map(({ at, found, allowed = "" }) => ({ origin, key: at, found, allowed }));
    throw configurationInvalid(faults, reading.program, denied.length === 0 ? undefined : hintFor(denied, reading));
  }
  const told = [...read.remarks, ...remarks, ...remarksOnRoutes(configuration, proxies)];
  return { configuration, keyPairs: pairs, trust: trust.trust, remarks: told };
}

/** Reports an unusable proxy at the start, because otherwise each request would fail. */
function remarksOnRoutes({ channels }: Configuration, proxies: ProxyVariables): readonly string[] {
  const forwarded = [...channels.values()].filter((channel) => channel.kind === "forwarded");
  for (const { url } of forwarded) routeFor(url, proxies);
  const unusable = forwarded.length === 0 ? [] : unusableNoProxyEntries(proxies);
  return unusable.map((entry) => `NO_PROXY holds "${entry}", which means nothing and is passed over`);
}

/** Reads the configuration file alone, for commands that need neither keys nor upstreams: their user may have no right to read the keys. */
export async function readConfigurationFile(path: string, { ownVersion, reader }: ReadPorts): Promise<ReadConfiguration> {
  const program = "svc-proxy";
  const raw = await readConfigurationYaml({ path, reader, program });
  const ownHost = parseName(hostname());
  const read = readConfiguration(raw, { origin: { kind: "file", path }, ownVersion, ownHost, program });
  if (read.kind === "faults") throw configurationInvalid(read.faults, program);
  return read;
}

export async function readConfigurationYaml(reading: Reading): Promise<unknown> {
  const { path, program } = reading;
  const yaml = await readYaml(readText(reading));
  if (yaml.kind === "value") return yaml.value;
  const origin: Origin = { kind: "file", path };
  throw configurationInvalid([{ origin, key: "", found: `no YAML: ${yaml.why}`, allowed: "YAML 1.2" }], program);
}

function readText(reading: Reading): string {
  const { path, reader, program } = reading;
  const read = readFileCapped(path, { capBytes: longestFileBytes, links: "follow" });
  switch (read.kind) {
    case "read":
      return read.text;
    case "missing":
      throw new Fault("settings-invalid", {
        message: `there is no file ${path}`,
        hint: `write it, as ${documents[program]} shows; or name another: \`${program} check --config FILE\``,
      });
    case "denied":
      throw new Fault("not-permitted", {
        message: `${path} may not be read by ${reader === "unit" ? `${program}.service` : "this user"}`,
        hint: hintFor([path], reading),
      });
    case "refused":
      throw new Fault("settings-invalid", {
        message: `${path} cannot be read: ${read.why}`,
        hint: "it must be a regular file of YAML",
      });
  }
}

type ReadTrust =
  | { readonly kind: "trust"; readonly trust: Trust | undefined }
  | { readonly kind: "refused"; readonly refusal: RefusedSetting };

function trustFor({ channels, forwarding: { caFile } }: Configuration): ReadTrust {
  // An http upstream may redirect to https or lie behind an https proxy.
  if ([...channels.values()].every(({ kind }) => kind === "static")) return { kind: "trust", trust: undefined };
  try {
    return { kind: "trust", trust: loadTrust(caFile) };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    const at = "proxy_service.automatic_upgrades_forwarding.ca_file";
    return {
      kind: "refused",
      refusal: { at, found: thrown.message, allowed: "certificates in PEM form that everyone may read" },
    };
  }
}

const documents: Readonly<Record<ServingProgram, string>> = {
  "svc-proxy": "/usr/share/doc/svc-proxy/docs/server.md",
  svc: "/usr/share/doc/svc-ent/docs/cluster.md",
};

function hintFor(denied: readonly string[], { path, reader, program }: Reading): string {
  if (reader === "unit") return letRead(denied, program);
  return `run it as root: \`sudo ${program} check --config ${shellWord(path)}\``;
}

export function configurationInvalid(
  faults: readonly SettingFault[],
  program: ServingProgram,
  hint: string = `correct that, then see what holds: \`sudo ${program} check${fileOf(faults)}\``,
): Fault {
  const lines = explainSettingFaults(faults);
  return new Fault("settings-invalid", {
    message:
      faults.length === 1
        ? `the configuration is wrong: ${lines}`
        : `the configuration is wrong in ${faults.length} places:\n${lines}`,
    hint,
  });
}

/** The flag that names the file again. The default file needs none. */
function fileOf([first]: readonly SettingFault[]): string {
  return first?.origin.kind !== "file" || first.origin.path === "/etc/svc.yaml"
    ? ""
    : ` --config ${shellWord(first.origin.path)}`;
}
