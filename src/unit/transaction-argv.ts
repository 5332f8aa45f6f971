type Argv = readonly [string, ...string[]];

/** The fixed name makes a second transaction at the same time impossible. */
export const transactionUnit = "svc-upgrade-transaction.service";

/** Variables that would change what programs load or whom they trust. */
const dangerous: readonly string[] = [
  "NODE_OPTIONS",
  "NODE_EXTRA_CA_CERTS",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "LD_AUDIT",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

/** The field by which a transaction's lines are found again in the journal. */
const idField = "SVC_UPGRADE_TRANSACTION";

export type TransactionUnit = {
  readonly id: string;
  readonly what: string;
  /** Holds the variables of this call: values in an argument vector could be read by every user of the host. */
  readonly environmentFile: string;
};

/** A transient unit that no stop kills, and whose output shows among the lines of svc-upgrade.service. */
export function transactionArgv(argv: Argv, { id, what, environmentFile }: TransactionUnit): Argv {
  const properties = [
    // Not "exec": where the program fails faster than systemd reports its start, systemd-run would give 1 for its status.
    "Type=simple",
    // A stop sends a signal that harms nobody, and then waits; a shutdown has its own limit, after 30 minutes.
    "KillSignal=SIGCONT",
    "TimeoutStopSec=infinity",
    // What the program leaves behind, as dnf does with a gpg-agent, would keep the unit, and so the pass, from their end.
    "KillMode=mixed",
    // Never a pipe of ours: when the reader dies, the writer would be killed by it.
    "StandardInput=null",
    "StandardOutput=journal",
    "StandardError=journal",
    "SyslogIdentifier=svc-upgrade",
    // What the program prints is a notice, and systemd's own lines below that (Started, Deactivated) are left out.
    "SyslogLevel=notice",
    "LogLevelMax=notice",
    `LogExtraFields=OBJECT_SYSTEMD_UNIT=svc-upgrade.service`,
    `LogExtraFields=${idField}=${id}`,
    // The later file wins, so nothing in the agent's can change what is fixed for the call.
    "EnvironmentFile=-/etc/default/svc",
    `EnvironmentFile=${environmentFile}`,
    `UnsetEnvironment=${dangerous.join(" ")}`,
  ];
  return [
    "systemd-run",
    `--unit=${transactionUnit}`,
    `--description=svc-upgrade: ${what}`,
    "--collect",
    "--wait",
    "--quiet",
    ...properties.flatMap((property) => ["-p", property]),
    "--",
    ...argv,
  ];
}

/** The lines that the program itself printed, by the field that its unit stamps on them. */
export function transactionLinesArgv(id: string, mostLines: number): Argv {
  return ["journalctl", "--quiet", "--no-pager", "-o", "cat", "-n", String(mostLines), `${idField}=${id}`, "_TRANSPORT=stdout"];
}
