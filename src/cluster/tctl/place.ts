import { hostname } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { Fault } from "../../rules/fault/fault.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { quote } from "../../rules/text/quote.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { readYaml } from "../../machine/yaml/read-yaml.ts";
import { isUnspecified, parseAddress, printHostPort } from "../../rules/route/host-port.ts";
import { storage, type StorageConfiguration } from "../services/storage-section.ts";
import { check as checkValue } from "../../rules/shape/check.ts";
import { describe, isMapping } from "../../rules/shape/reading.ts";

const defaultConfig = "/etc/svc.yaml";
const defaultDataDirectory = "/var/lib/svc";
const mostConfigBytes = 1024 * 1024;
/** Long enough to show a typed path as a whole. */
const longestPath = 4096;

/** The part of the configuration that tctl needs. `svc check` reports faults in the rest. */
export type Place = {
  readonly dataDirectory: string;
  /** The cluster's name in the file; undefined if it names none. */
  readonly clusterName: string | undefined;
  /** Where others reach auth: the file's address, otherwise this host's name. */
  readonly authAddress: string;
  /** Where people reach a proxy, by the file; undefined if the file does not tell. */
  readonly proxyAddress: string | undefined;
  /** Undefined if the store is a file below the data directory. */
  readonly storage: StorageConfiguration | undefined;
};

/** Reads the configuration. A file that somebody named must exist. */
export async function placeOf(config: string | undefined): Promise<Place> {
  const path = config ?? defaultConfig;
  const file = quote(path, longestPath);
  const check = `see every fault: \`svc check --config ${quote(shellWord(path), longestPath)}\``;
  const reading = readFileCapped(path, { capBytes: mostConfigBytes, links: "follow" });
  if (reading.kind !== "read") {
    if (config === undefined)
      return {
        dataDirectory: defaultDataDirectory,
        clusterName: undefined,
        authAddress: addressIn({}),
        proxyAddress: undefined,
        storage: undefined,
      };
    const why =
      reading.kind === "missing"
        ? "does not exist"
        : reading.kind === "denied"
          ? "may not be read"
          : `cannot be read: ${reading.why}`;
    throw unusable(`${file} ${why}`, "name the configuration of the auth service: `tctl -c FILE …`");
  }
  const yaml = await readYaml(reading.text);
  if (yaml.kind === "refused") throw unusable(`${file} cannot be read: ${yaml.why}`, check);
  const svc = sectionOf(yaml.value, "svc");
  const found = svc["data_dir"];
  if (found !== undefined && typeof found !== "string") {
    throw unusable(`svc.data_dir in ${file} is ${describe(found)}`, check);
  }
  const { cluster_name: named, storage: kept } = sectionOf(yaml.value, "auth_service");
  const stored = kept === undefined ? undefined : checkValue(storage, kept);
  if (stored?.kind === "refused") throw unusable(`auth_service.storage in ${file} cannot be read`, check);
  return {
    dataDirectory: absolute(found ?? defaultDataDirectory),
    clusterName: typeof named === "string" ? named : undefined,
    authAddress: addressIn(sectionOf(yaml.value, "auth_service")),
    proxyAddress: publicAddressesIn(sectionOf(yaml.value, "proxy_service"))[0],
    storage: stored?.value,
  };
}

/** The path of the socket that auth uses. */
export function rootSocketIn(dataDirectory: string): string {
  return join(dataDirectory, "root", "auth.sock");
}

function absolute(path: string): string {
  return isAbsolute(path) ? path : resolve(path);
}

const authPort = 3025;
const everywhere = { host: "0.0.0.0", port: authPort };

function addressIn(auth: Readonly<Record<string, unknown>>): string {
  const { listen_addr: listening } = auth;
  const { host, port = authPort } = (typeof listening === "string" ? parseAddress(listening) : undefined) ?? everywhere;
  const given = publicAddressesIn(auth);
  if (given.length === 0) return printHostPort({ host: isUnspecified(host) ? hostname() : host, port });
  return given.map((one) => (/[^:\]]:\d+$|\]:\d+$/.test(one) ? one : `${one}:${port}`)).join(",");
}

function publicAddressesIn({ public_addr: named }: Readonly<Record<string, unknown>>): readonly string[] {
  const given: readonly unknown[] = Array.isArray(named) ? named : [named];
  return given.filter((one): one is string => typeof one === "string" && /^[\w.:[\]-]+$/.test(one));
}

function sectionOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const section = isMapping(value) ? value[name] : undefined;
  return isMapping(section) ? section : {};
}

function unusable(message: string, hint: string): Fault {
  return new Fault("configuration-invalid", { message, hint });
}
