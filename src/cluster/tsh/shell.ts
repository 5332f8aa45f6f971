import { createPublicKey } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { userInfo } from "node:os";
import { call } from "../api/call.ts";
import { makeKeyPair } from "../identity/key.ts";
import { parseInstanceId } from "../identity/names.ts";
import { signedIn } from "../session/signed-in.ts";
import type { OverProxy } from "../session/over-proxy.ts";
import type { Profile } from "../session/profile.ts";
import { errnoOf } from "../../machine/files/errno.ts";
import type { Given } from "../../machine/command-line/row.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { notSignedIn, profileFor, type TshContext } from "./context.ts";

/** Typed as [LOGIN@]HOST or, for ssh_config, as LOGIN@HOST.CLUSTER. */
export type Target = { readonly login: string; readonly host: string };

export type Signed = { readonly profile: Profile; readonly transport: OverProxy };

export function signedInFor(context: TshContext, given: Given): Signed {
  const named = given.text("proxy");
  const profile = profileFor(context, named);
  if (profile === undefined) throw notSignedIn(named);
  return { profile, transport: signedIn(profile, context) };
}

export function targetIn(typed: string, { cluster }: Pick<Profile, "cluster">): Target {
  const at = typed.lastIndexOf("@");
  const whole = typed.slice(at + 1);
  const end = `.${cluster.name}`;
  const host = whole.endsWith(end) && whole.length > end.length ? whole.slice(0, -end.length) : whole;
  const login = at < 0 ? userInfo().username : typed.slice(0, at);
  // Refuses a hyphen at the beginning, because both become arguments of ssh.
  if (/^[A-Za-z0-9_][\w.-]*$/.test(host) && /^[A-Za-z0-9_][\w.-]*$/.test(login)) return { login, host };
  throw new Fault("usage", {
    message: `"${quote(typed)}" is no host to log in at`,
    hint: typed.startsWith("-")
      ? "what is for ssh comes last, behind --: `tsh ssh root@web1 -- -L 8080:localhost:80`"
      : "LOGIN@HOST, with a Server ID or a name as `tctl inventory ls` shows it: `tsh ssh root@web1`",
  });
}

/** Writes a path as the value of an option of ssh. The tail may contain ssh's own marks, such as %r. */
export function sshPath(path: string, ...tail: readonly string[]): string {
  const plain = path.replaceAll("%", "%%").replaceAll(/["\\]/g, "\\$&");
  return `"${[plain, ...tail].join("/")}"`;
}

export type Certified = {
  readonly serverId: string;
  readonly hostname: string;
  readonly keyFile: string;
  readonly certificateFile: string;
  /** The file with the keys that sign hosts' certificates. */
  readonly knownHosts: string;
};

/** Makes a key in this directory and has it certified for one host and one login. */
export async function certifyInto(
  directory: string,
  { login, host }: Target,
  { transport, profile, stopping }: Signed & { readonly stopping: AbortSignal },
): Promise<Certified> {
  const keyFile = join(directory, "key");
  const publicKey = createPublicKey(await keyIn(keyFile)).export({ type: "spki", format: "pem" }) as string;
  const request = { host, login, publicKey };
  const answer = await call(transport, { method: "ShellService/CertifyShell", request }, { stopping });
  const { serverId = "", hostname = "", certificate = "" } = answer;
  // Checks both, because they become arguments of ssh.
  if (parseInstanceId(serverId) === undefined || !/^[\x20-\x7e]+$/.test(certificate)) {
    throw new Fault("auth-mismatch", {
      message: `${transport.whom} answered without a certificate`,
      hint: "is it a proxy of the cluster?",
    });
  }
  const certificateFile = `${keyFile}-cert.pub`;
  const knownHosts = join(directory, "known_hosts");
  replace(certificateFile, `${certificate}\n`);
  replace(knownHosts, profile.hostAuthorities.map((line) => `@cert-authority * ${line}\n`).join(""));
  return { serverId, hostname, keyFile, certificateFile, knownHosts };
}

function replace(path: string, text: string): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

/** Makes the key, or uses one that another process has just made here. */
async function keyIn(path: string): Promise<string> {
  const { privateKey } = await makeKeyPair();
  try {
    writeFileSync(path, privateKey, { mode: 0o600, flag: "wx" });
    return privateKey;
  } catch (thrown) {
    if (errnoOf(thrown) !== "EEXIST") throw thrown;
    return readFileSync(path, "utf8");
  }
}
