import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Given } from "../../../machine/command-line/row.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { shellWord } from "../../../rules/text/shell-word.ts";
import { call } from "../../api/call.ts";
import { loginLine } from "../../session/signed-in.ts";
import { printProxyAddress } from "../../session/proxy-address.ts";
import type { TshContext } from "../context.ts";
import { certifyInto, signedInFor, sshPath, targetIn, type Certified, type Signed, type Target } from "../shell.ts";

/** ssh's own failure, unless the command on the host ended with this status. */
const statusOfSsh = 255;
const longestAskMs = 5000;

/** Runs the system's ssh through the proxy, with a certificate for some minutes. Exits with ssh's status. */
export async function ssh(context: TshContext, given: Given): Promise<number> {
  const [typed = "", ...words] = given.arguments;
  const signed = signedInFor(context, given);
  const { stopping, self } = context.surroundings;
  const target = targetIn(typed, signed.profile);
  mkdirSync(context.profiles, { recursive: true, mode: 0o700 });
  const directory = mkdtempSync(join(context.profiles, "ssh-"));
  try {
    const certified = await certifyInto(directory, target, { ...signed, stopping });
    const options = optionsFor(certified, { target, signed, self });
    const status = await run([...options, certified.serverId, ...words], stopping);
    if (status === statusOfSsh) context.surroundings.error(await tellFailure(signed, stopping));
    return status;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What the cluster knows about a failure. ssh says only "Broken pipe" or "Host key verification failed". */
export async function tellFailure({ profile, transport }: Signed, stopping: AbortSignal): Promise<string> {
  const asked = { method: "ClusterService/GetStatus", request: {} } as const;
  try {
    const { sshHostAuthorities = [] } = await call(transport, asked, { timeoutMs: longestAskMs, stopping });
    const isKnown = sshHostAuthorities.every((line) => profile.hostAuthorities.includes(line));
    return isKnown ? "" : `note: hosts may be trusted by a newer key than when you signed in: \`${loginLine(profile)}\`\n`;
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return thrown.code === "session-ended" ? `note: ${thrown.message}; ${thrown.hint}\n` : "";
  }
}

type Calling = {
  readonly target: Target;
  readonly signed: Signed;
  readonly self: readonly string[];
};

function optionsFor(
  { serverId, keyFile, certificateFile, knownHosts }: Certified,
  { target, signed, self }: Calling,
): readonly string[] {
  const proxy = printProxyAddress(signed.profile.proxy);
  const words = [...self, "proxy", "ssh", `--proxy=${proxy}`, `${target.login}@${serverId}`];
  const command = words.map((word) => shellWord(word).replaceAll("%", "%%")).join(" ");
  return [
    ["-l", target.login],
    ["-o", `ProxyCommand=${command}`],
    ["-o", `IdentityFile=${sshPath(keyFile)}`],
    ["-o", `CertificateFile=${sshPath(certificateFile)}`],
    ["-o", "IdentitiesOnly=yes"],
    ["-o", `HostKeyAlias=${serverId}`],
    // The host must show the cluster's certificate for its Server ID.
    ["-o", `UserKnownHostsFile=${sshPath(knownHosts)}`],
    ["-o", "GlobalKnownHostsFile=none"],
    ["-o", "StrictHostKeyChecking=yes"],
    ["-o", "PreferredAuthentications=publickey"],
    ["-o", "ControlPath=none"],
  ].flat();
}

async function run(argv: readonly string[], stopping: AbortSignal): Promise<number> {
  const child = spawn("ssh", argv, { stdio: "inherit" });
  const stop = (): void => void child.kill("SIGTERM");
  stopping.addEventListener("abort", stop, { once: true });
  try {
    const [status, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    return status ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } catch (thrown) {
    throw new Fault("usage", {
      message: "there is no ssh on this computer, which tsh ssh runs",
      hint: "install OpenSSH's client, for example `sudo apt-get install openssh-client`",
      cause: thrown,
    });
  } finally {
    stopping.removeEventListener("abort", stop);
  }
}
