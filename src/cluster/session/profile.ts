import { parseClusterId, type ClusterId } from "../identity/names.ts";
import { fingerprintOfLine } from "../identity/ssh.ts";
import { parseConnectorName } from "../resource/connector.ts";
import { parseResourceName } from "../resource/name.ts";
import { printHostPort, type HostPort } from "../../rules/route/host-port.ts";
import { isMapping } from "../../rules/shape/reading.ts";
import { parseInstant, printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { parseProxyAddress } from "./proxy-address.ts";

/** What a sign-in to a proxy stores. */
export type Profile = {
  readonly proxy: HostPort;
  /** Authorities that are trusted besides the system's; undefined for none. */
  readonly caFile: string | undefined;
  readonly cluster: { readonly id: ClusterId; readonly name: string };
  readonly user: string;
  /** The connector that the user signed in through; undefined for a password. */
  readonly connector: string | undefined;
  /** The user's roles, as the cluster last named them. */
  readonly roles: readonly string[];
  /** The session's name in lists. */
  readonly session: string;
  readonly token: string;
  /** The private key in PEM. It was made here and never leaves this computer. */
  readonly privateKey: string;
  readonly until: UnixSeconds;
  /** The keys that sign certificates of hosts' sshd, as lines. */
  readonly hostAuthorities: readonly string[];
  /** How far auth's clock was ahead of ours when the session began. */
  readonly clockAheadSeconds: number;
};

export function printProfile(profile: Profile): string {
  const {
    proxy,
    caFile,
    cluster,
    user,
    connector,
    roles,
    session,
    token,
    privateKey,
    until,
    hostAuthorities,
    clockAheadSeconds,
  } = profile;
  return `${JSON.stringify(
    {
      proxy: printHostPort(proxy),
      ...(caFile === undefined ? {} : { ca_file: caFile }),
      cluster_id: cluster.id,
      cluster_name: cluster.name,
      user,
      ...(connector === undefined ? {} : { connector }),
      roles,
      session,
      token,
      private_key: privateKey,
      until: printInstant(until),
      host_authorities: hostAuthorities,
      clock_ahead_seconds: clockAheadSeconds,
    },
    undefined,
    2,
  )}\n`;
}

/** Parses a profile. Undefined if the text is invalid. Ignores keys of a later release. */
export function parseProfile(text: string): Profile | undefined {
  const found = mappingIn(text);
  if (found === undefined) return undefined;
  const word = (key: string): string => (typeof found[key] === "string" ? found[key] : "");
  const proxy = parseProxyAddress(word("proxy"));
  const id = parseClusterId(word("cluster_id"));
  const until = parseInstant(word("until"));
  const user = parseResourceName(word("user"));
  const ahead = found["clock_ahead_seconds"] ?? 0;
  const roles: unknown = found["roles"] ?? [];
  const hostAuthorities: unknown = found["host_authorities"] ?? [];
  const caFile = found["ca_file"];
  const connector = word("connector");
  const token = word("token");
  const privateKey = word("private_key");
  if (proxy === undefined || id === undefined || until === undefined || user === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/.test(token) || !privateKey.startsWith("-----BEGIN PRIVATE KEY-----")) return undefined;
  if (typeof ahead !== "number" || !Number.isSafeInteger(ahead)) return undefined;
  if (!Array.isArray(hostAuthorities) || !Array.isArray(roles) || (caFile !== undefined && typeof caFile !== "string"))
    return undefined;
  return {
    proxy,
    caFile,
    cluster: { id, name: word("cluster_name") },
    user,
    connector: parseConnectorName(connector) === undefined ? undefined : connector,
    roles: roles.filter((role) => typeof role === "string"),
    session: word("session"),
    token,
    privateKey,
    until,
    hostAuthorities: hostAuthorities.filter(isSshKeyLine),
    clockAheadSeconds: ahead,
  };
}

/** Whether the text is one line of a key. It goes into a file of ssh's. */
export function isSshKeyLine(line: unknown): line is string {
  return typeof line === "string" && fingerprintOfLine(line) !== undefined;
}

function mappingIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return isMapping(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
