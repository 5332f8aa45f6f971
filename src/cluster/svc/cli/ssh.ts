import { existsSync, readFileSync } from "node:fs";
import { call } from "../../api/call.ts";
import { fingerprintOfLine } from "../../identity/ssh.ts";
import { readIdentity } from "../../presence/identity-file.ts";
import { overMutualTls } from "../../presence/mutual-tls.ts";
import { kindOf } from "../../services/services.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { parseAddress } from "../../../rules/route/host-port.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { errnoOf } from "../../../machine/files/errno.ts";
import { writeFileAtomically } from "../../../machine/files/write-file.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { Options, ServerContext } from "../../../proxy/server/cli/called.ts";
import { proxiesFor, waysBy } from "../routes-by-environment.ts";
import { loadFor } from "./context.ts";

/** The file with the keys whose certificates sshd accepts. Only root can write to its directory, because its author decides who may log in. */
const authoritiesFile = "/etc/ssh/svc-user-authorities";
/** The certificate of this host's own key, which people's ssh checks. */
const certificateFile = "/etc/ssh/svc-host-cert.pub";
const dropIn = "/etc/ssh/sshd_config.d/svc.conf";
const longestAskMs = 5000;

/** Writes the keys whose certificates sshd is to accept, and prints the lines that sshd needs. Never changes sshd's settings. */
export async function setUpSsh(options: Options, given: Given, { surroundings }: ServerContext): Promise<number> {
  const { environment, stopping, out } = surroundings;
  const { services } = await loadFor(options, surroundings);
  const identity = readIdentity({ dataDirectory: services.dataDirectory, kind: kindOf(services) });
  if (identity === undefined) {
    throw new Fault("not-joined", {
      message: "this host belongs to no cluster yet, whose people could log in",
      hint: "`svc join`, with what `tctl tokens add --type=node` on the auth host shows",
    });
  }
  const { stored, trusted } = identity;
  if (!given.isSet("check") && process.geteuid?.() !== 0) {
    throw new Fault("not-permitted", { message: `only root may write ${authoritiesFile}`, hint: "`sudo svc ssh setup`" });
  }
  const settings = await sshdSettings();
  const lines = linesFor(stored.instance, settings);
  if (given.isSet("check")) {
    refuseUnready(lines, { settings, isThere: existsSync });
    out("sshd takes the certificates of this cluster's people\n");
    return 0;
  }
  const transport = overMutualTls({
    addresses: stored.authServers.flatMap((text) => {
      const { host, port } = parseAddress(text) ?? {};
      return host === undefined || port === undefined ? [] : [{ host, port }];
    }),
    known: { kind: "joined", cluster: stored.cluster.id, authorities: trusted },
    shows: stored,
    ways: waysBy(proxiesFor(environment)),
    now: () => readClock().now,
  });
  const request = { publicKey: hostKeyIn(settings) };
  const answer = await call(transport, { method: "ShellService/CertifyHost", request }, { stopping });
  const { certificate = "", userAuthorities = [] } = answer;
  const keys = userAuthorities.map((line) => ({ line, fingerprint: fingerprintOfLine(line) }));
  const isWhole = /^\S+-cert-v01@openssh\.com [A-Za-z0-9+/=]+ [\x21-\x7e]+$/.test(certificate);
  if (!isWhole || keys.length === 0 || keys.some(({ fingerprint }) => fingerprint === undefined)) {
    throw new Fault("auth-mismatch", {
      message: `${transport.whom} names no key for people's certificates`,
      hint: "is auth older than this program? `tctl status` shows its version",
    });
  }
  const text = keys.map(({ line }) => `${line}\n`).join("");
  writeFileAtomically(certificateFile, `${certificate}\n`, { root: "/", mode: 0o644, fault: "file-failed" });
  writeFileAtomically(authoritiesFile, text, { root: "/", mode: 0o644, fault: "file-failed" });
  out(`wrote ${certificateFile}, and ${authoritiesFile}: ${keys.map(({ fingerprint }) => fingerprint).join(", ")}
Compare that with what \`tctl status\` shows on the auth host. Then put these lines into ${dropIn}:

${lines.map(({ word, value }) => `    ${word} ${value}\n`).join("")}
and \`sudo sshd -t && sudo systemctl reload ssh\` (sshd on other systems). \`sudo svc ssh setup --check\` looks at it.
`);
  return 0;
}

type Line = { readonly word: string; readonly value: string };

/** The certificate's only principal is LOGIN@SERVER_ID, so that it is good for one login on one host. */
export function linesFor(instance: string, settings: readonly string[]): readonly Line[] {
  const isKnown = settings.some((line) => /^persourcepenaltyexemptlist /i.test(line));
  return [
    { word: "TrustedUserCAKeys", value: authoritiesFile },
    { word: "AuthorizedPrincipalsCommand", value: `/bin/echo %u@${instance}` },
    { word: "AuthorizedPrincipalsCommandUser", value: "nobody" },
    { word: "HostCertificate", value: certificateFile },
    // Exempts this address, from OpenSSH 9.8 on: all people come from it, so one person's failed logins would shut out the others.
    ...(isKnown ? [{ word: "PerSourcePenaltyExemptList", value: "127.0.0.1,::1" }] : []),
  ];
}

type Sshd = {
  /** The settings as sshd itself reads them. */
  readonly settings: readonly string[];
  readonly isThere: (path: string) => boolean;
};

export function refuseUnready(lines: readonly Line[], { settings, isThere }: Sshd): void {
  const file = [authoritiesFile, certificateFile].find((path) => !isThere(path));
  if (file !== undefined) {
    throw new Fault("configuration-invalid", {
      message: `there is no ${file}, which sshd needs`,
      hint: "`sudo svc ssh setup` writes it, and says what else sshd needs",
    });
  }
  const there = new Set(settings.map((line) => line.toLowerCase()));
  const missing = lines.filter(({ word, value }) => !there.has(`${word} ${value}`.toLowerCase()));
  if (missing.length > 0) {
    throw new Fault("configuration-invalid", {
      message: `sshd does not have ${missing.map(({ word }) => word).join(", ")} as the cluster needs it`,
      hint: `put this into ${dropIn}, and reload sshd: ${missing.map(({ word, value }) => `${word} ${value}`).join(" | ")}`,
    });
  }
}

async function sshdSettings(): Promise<readonly string[]> {
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
  const asked = await runCommand({ argv: ["sshd", "-T"], env, timeoutMs: longestAskMs });
  if (asked.kind === "exited" && asked.status === 0) return asked.stdout.split("\n").map((line) => line.trim());
  const why = asked.kind === "exited" ? `: ${quote(asked.stderr.trim().split("\n")[0] ?? "", 200)}` : "";
  throw new Fault("os-failed", {
    message: `\`sshd -T\` did not say its settings${why}`,
    hint: "as root, where OpenSSH's server is installed: `sudo svc ssh setup`",
  });
}

/** Most clients ask for the first of these. */
const preferred = ["ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"] as const;

/** The public key that this host's sshd shows, as a line. */
function hostKeyIn(settings: readonly string[]): string {
  const lines = settings.flatMap((line) => {
    const [, path] = /^hostkey (\/.+)$/i.exec(line) ?? [];
    return path === undefined ? [] : readPublicKey(`${path}.pub`);
  });
  const found = preferred.flatMap((type) => lines.filter((line) => line.startsWith(`${type} `)))[0];
  if (found !== undefined) return found;
  throw new Fault("os-failed", {
    message: "sshd has no host key whose public half lies beside it",
    hint: "make them: `sudo ssh-keygen -A`",
  });
}

function readPublicKey(path: string): readonly string[] {
  try {
    return [readFileSync(path, "utf8").trim()];
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return [];
    throw thrown;
  }
}
