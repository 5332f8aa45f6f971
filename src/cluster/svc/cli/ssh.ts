import { readFileSync } from "node:fs";
import { call } from "../../api/call.ts";
import { fingerprintOfLine } from "../../identity/ssh.ts";
import { readIdentity } from "../../presence/identity-file.ts";
import { overMutualTls } from "../../presence/mutual-tls.ts";
import { kindOf } from "../../services/services.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { parseAddress } from "../../../rules/route/host-port.ts";
import { readClock } from "../../../machine/clocks/read-clock.ts";
import { writeFileAtomically } from "../../../machine/files/write-file.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { Options, ServerContext } from "../../../proxy/server/cli/called.ts";
import { proxiesFor, waysBy } from "../routes-by-environment.ts";
import { loadFor } from "./context.ts";

/** Only root may write to this directory, because the writer of this file decides who may log in as root. */
const authoritiesFile = "/etc/ssh/svc-user-authorities";
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
  const lines = linesFor(stored.instance);
  if (given.isSet("check")) {
    await check(lines, out);
    return 0;
  }
  if (process.geteuid?.() !== 0) {
    throw new Fault("not-permitted", { message: `only root may write ${authoritiesFile}`, hint: "`sudo svc ssh setup`" });
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
  const { sshUserAuthorities = [] } = await call(transport, { method: "ClusterService/GetStatus", request: {} }, { stopping });
  const keys = sshUserAuthorities.map((line) => ({ line, fingerprint: fingerprintOfLine(line) }));
  if (keys.length === 0 || keys.some(({ fingerprint }) => fingerprint === undefined)) {
    throw new Fault("auth-mismatch", {
      message: `${transport.whom} names no key for people's certificates`,
      hint: "is auth older than this program? `tctl status` shows its version",
    });
  }
  const text = keys.map(({ line }) => `${line}\n`).join("");
  writeFileAtomically(authoritiesFile, text, { root: "/", mode: 0o644, fault: "file-failed" });
  out(`wrote ${authoritiesFile}: ${keys.map(({ fingerprint }) => fingerprint).join(", ")}
Compare that with what \`tctl status\` shows on the auth host. Then put these lines into ${dropIn}:

${lines.map(({ word, value }) => `    ${word} ${value}\n`).join("")}
and \`sudo sshd -t && sudo systemctl reload ssh\` (sshd on other systems). \`sudo svc ssh setup --check\` looks at it.
`);
  return 0;
}

type Line = { readonly word: string; readonly value: string };

/** The certificate's only principal is LOGIN@SERVER_ID, so that it is good for one login on one host. */
function linesFor(instance: string): readonly Line[] {
  return [
    { word: "TrustedUserCAKeys", value: authoritiesFile },
    { word: "AuthorizedPrincipalsCommand", value: `/bin/echo %u@${instance}` },
    { word: "AuthorizedPrincipalsCommandUser", value: "nobody" },
  ];
}

/** Checks the settings as sshd itself prints them. */
async function check(lines: readonly Line[], out: (text: string) => void): Promise<void> {
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
  const asked = await runCommand({ argv: ["sshd", "-T"], env, timeoutMs: longestAskMs });
  if (asked.kind !== "exited" || asked.status !== 0) {
    throw new Fault("os-failed", {
      message: `\`sshd -T\` did not say its settings${asked.kind === "exited" ? `: ${asked.stderr.trim().split("\n")[0] ?? ""}` : ""}`,
      hint: "as root, where sshd is installed: `sudo svc ssh setup --check`",
    });
  }
  const settings = new Set(asked.stdout.split("\n").map((line) => line.trim().toLowerCase()));
  const missing = lines.filter(({ word, value }) => !settings.has(`${word} ${value}`.toLowerCase()));
  if (missing.length > 0) {
    throw new Fault("configuration-invalid", {
      message: `sshd does not have ${missing.map(({ word }) => word).join(", ")} as the cluster needs it`,
      hint: `put this into ${dropIn}, and reload sshd: ${missing.map(({ word, value }) => `${word} ${value}`).join(" | ")}`,
    });
  }
  readFileSync(authoritiesFile);
  out("sshd takes the certificates of this cluster's people\n");
}
