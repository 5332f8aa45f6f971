import { existsSync, readFileSync } from "node:fs";
import type { PeerCertificate, SecureContext } from "node:tls";
import { Fault } from "../../rules/fault/fault.ts";
import { readCaFile } from "./ca-file.ts";
import { checkIdentity } from "./identity.ts";

/** The trusted certificates, ready for every connection of a run. */
export type Trust = {
  readonly connection: {
    readonly secureContext: SecureContext;
    readonly rejectUnauthorized: true;
    readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
  };
  /** The files that they come from, for messages. */
  readonly stores: readonly string[];
};

/** Where distributions keep the bundle of all authorities: Debian, RHEL and Amazon (old and new), SUSE (both). */
export const systemStores: readonly string[] = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/ca-bundle.pem",
  "/var/lib/ca-certificates/ca-bundle.pem",
];

/**
 * Joins the system's store and `ca_file`. Parses the bundle once into one context, which takes 10 ms for 144 authorities. Node's own reading of the
 * system's store takes 27 to 106.
 */
export function loadTrust(caFile: string | undefined, places: readonly string[] = systemStores): Trust {
  const system = readSystemStore(places);
  const own = caFile === undefined ? undefined : { path: caFile, pem: readCaFile(caFile) };
  // If a host trusts only a private authority, ca_file is enough.
  if (system === undefined && own === undefined) throw storeMissing(places);
  const files = [system, own].filter((file) => file !== undefined);
  return {
    connection: { secureContext: contextOf(files), rejectUnauthorized: true, checkServerIdentity: checkIdentity },
    stores: files.map((file) => file.path),
  };
}

type Store = { readonly path: string; readonly pem: Buffer };

function readSystemStore(places: readonly string[]): Store | undefined {
  for (const path of places) {
    const pem = readIfThere(path);
    // A half-removed package may leave an empty bundle.
    if (pem?.includes("-----BEGIN CERTIFICATE-----") === true) return { path, pem };
  }
  return undefined;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    // No distribution has all these places. The caller reports if none could be read.
    return undefined;
  }
}

function contextOf(files: readonly Store[]): SecureContext {
  return process.getBuiltinModule("node:tls").createSecureContext({ ca: files.map((file) => file.pem), minVersion: "TLSv1.2" });
}

function storeMissing(places: readonly string[]): Fault {
  return new Fault("trust-store-missing", {
    message: `https needs the system's certificate store, and none was found in ${places.join(", ")}`,
    hint: `install one: \`${installStore()}\`; or set \`ca_file\``,
  });
}

/** The command that installs a store, by the first package manager found. apt and zypper also restore lost files of an installed package. */
function installStore(): string {
  const [, command] = installers.find(([program]) => existsSync(program)) ?? installers[0];
  return `sudo ${command}`;
}

const installers = [
  ["/usr/bin/apt-get", "apt-get install --reinstall ca-certificates"],
  ["/usr/bin/dnf", "dnf install ca-certificates"],
  ["/usr/bin/zypper", "zypper install --force ca-certificates ca-certificates-mozilla"],
] as const;
