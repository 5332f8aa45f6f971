import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Given } from "../../../machine/command-line/row.ts";
import { shellWord } from "../../../rules/text/shell-word.ts";
import { printProxyAddress } from "../../session/proxy-address.ts";
import type { TshContext } from "../context.ts";
import { certifyInto, signedInFor, sshPath, targetIn } from "../shell.ts";

/** A certificate of this age is still used. It is valid for five minutes. */
const longestAgeMs = 120_000;

/** Prints lines for ~/.ssh/config, so that ssh, scp, rsync and Ansible reach the cluster's hosts. */
export function sshConfig(context: TshContext, given: Given): Promise<number> {
  const { profile } = signedInFor(context, given);
  const { self, out } = context.surroundings;
  const words = (...more: readonly string[]): string =>
    [...[...self, ...more].map((word) => shellWord(word).replaceAll("%", "%%")), "%r@%h"].join(" ");
  const proxy = `--proxy=${printProxyAddress(profile.proxy)}`;
  const hosts = `*.${profile.cluster.name}`;
  const kept = (name: string): string => sshPath(context.profiles, "ssh", "%r@%h", name);
  out(`# The hosts of ${profile.cluster.name}: ssh LOGIN@HOST.${profile.cluster.name}
Host ${hosts}
    ProxyCommand ${words("proxy", "ssh", proxy)}
    UserKnownHostsFile ${kept("known_hosts")} ${sshPath(context.profiles, "known_hosts")}
    GlobalKnownHostsFile none
    StrictHostKeyChecking accept-new
    IdentitiesOnly yes
Match host ${hosts} exec "${words("proxy", "certify", proxy)}"
    IdentityFile ${kept("key")}
    CertificateFile ${kept("key-cert.pub")}
`);
  return Promise.resolve(0);
}

/** Gets a certificate for this host and login, unless a fresh one exists. The printed lines call this. */
export async function certify(context: TshContext, given: Given): Promise<number> {
  const [typed = ""] = given.arguments;
  const signed = signedInFor(context, given);
  const target = targetIn(typed, signed.profile);
  const directory = join(context.profiles, "ssh", typed);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const before = statSync(join(directory, "key-cert.pub"), { throwIfNoEntry: false });
  const age = Date.now() - (before?.mtimeMs ?? 0);
  if (age < 0 || age > longestAgeMs) await certifyInto(directory, target, { ...signed, stopping: context.surroundings.stopping });
  return 0;
}
