import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { call } from "../../../src/cluster/api/call.ts";
import { readIdentity } from "../../../src/cluster/presence/identity-file.ts";
import { overMutualTls } from "../../../src/cluster/presence/mutual-tls.ts";
import { parseAddress } from "../../../src/rules/route/host-port.ts";
import { directWays } from "../../cluster/presence/ways.ts";

const sshd = "/usr/sbin/sshd";
const me: string = userInfo().username;

/** A role for shells as the user who plays the demo. */
export const shellRole = `kind: role
version: v7
metadata:
  name: shells
spec:
  allow:
    logins: [${me}]
    node_labels: {"*": "*"}
`;

export const login = me;

/** Whether OpenSSH's two ends are here; as root its server needs a directory of the system's. */
export function hasSsh(): boolean {
  const isReady = process.geteuid?.() !== 0 || existsSync("/run/sshd");
  return existsSync(sshd) && isReady && existsSync("/usr/bin/ssh");
}

type Certified = { readonly certificate: string; readonly userAuthorities: readonly string[] };

/** Asks auth for what `svc ssh setup` writes into /etc/ssh. */
export async function certifyHost(dataDirectory: string, publicKey: string): Promise<Certified> {
  const identity = readIdentity({ dataDirectory, kind: "node" });
  if (identity === undefined) throw new Error(`no host that has joined keeps its data in ${dataDirectory}`);
  const { stored, trusted } = identity;
  const { host = "", port = 0 } = parseAddress(stored.authServers[0] ?? "") ?? {};
  const transport = overMutualTls({
    addresses: [{ host, port }],
    known: { kind: "joined", cluster: stored.cluster.id, authorities: trusted },
    shows: stored,
    ways: directWays,
    now: () => Math.floor(Date.now() / 1000),
  });
  const { certificate = "", userAuthorities = [] } = await call(transport, {
    method: "ShellService/CertifyHost",
    request: { publicKey },
  });
  return { certificate, userAuthorities };
}

/** Makes the key of a host's sshd, and returns its public line. */
export function makeHostKey(scratch: string): string {
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(scratch, "hostkey")]);
  return readFileSync(join(scratch, "hostkey.pub"), "utf8").trim();
}

type Serving = {
  readonly scratch: string;
  readonly port: number;
  readonly serverId: string;
  /** The keys whose certificates it accepts. */
  readonly authorities: readonly string[];
  /** Of its own key. */
  readonly certificate?: string;
};

/** The sshd of a host, set up as `svc ssh setup` says, in the scratch folder and on loopback. */
export function startSshd({ scratch, port, authorities, serverId, certificate }: Serving): ChildProcess {
  const at = (name: string): string => join(scratch, name);
  writeFileSync(at("authorities"), authorities.map((line) => `${line}\n`).join(""));
  if (certificate !== undefined) writeFileSync(at("hostkey-cert.pub"), `${certificate}\n`);
  const lines = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${at("hostkey")}`,
    ...(certificate === undefined ? [] : [`HostCertificate ${at("hostkey-cert.pub")}`]),
    "PidFile none",
    `TrustedUserCAKeys ${at("authorities")}`,
    `AuthorizedPrincipalsCommand /bin/echo %u@${serverId}`,
    `AuthorizedPrincipalsCommandUser ${process.geteuid?.() === 0 ? "nobody" : me}`,
  ];
  writeFileSync(at("sshd.conf"), lines.map((line) => `${line}\n`).join(""));
  return spawn(sshd, ["-D", "-e", "-f", at("sshd.conf")], { stdio: "ignore" });
}
