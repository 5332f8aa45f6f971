import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";

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

type Serving = {
  readonly scratch: string;
  readonly port: number;
  readonly authorities: readonly string[];
  readonly serverId: string;
};

/** The sshd of a host, set up as `svc ssh setup` says, in the scratch folder and on loopback. */
export function startSshd({ scratch, port, authorities, serverId }: Serving): ChildProcess {
  const at = (name: string): string => join(scratch, name);
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at("hostkey")]);
  writeFileSync(at("authorities"), authorities.map((line) => `${line}\n`).join(""));
  const lines = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${at("hostkey")}`,
    "PidFile none",
    `TrustedUserCAKeys ${at("authorities")}`,
    `AuthorizedPrincipalsCommand /bin/echo %u@${serverId}`,
    `AuthorizedPrincipalsCommandUser ${process.geteuid?.() === 0 ? "nobody" : me}`,
  ];
  writeFileSync(at("sshd.conf"), lines.map((line) => `${line}\n`).join(""));
  return spawn(sshd, ["-D", "-e", "-f", at("sshd.conf")], { stdio: "ignore" });
}
