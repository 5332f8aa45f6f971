import { dangerousVariables } from "./environment.ts";
import { writeEndCommand } from "./transaction-end.ts";

type Argv = readonly [string, ...string[]];

/** The fixed name makes a second transaction at the same time impossible. */
export const transactionUnit = "svc-upgrade-transaction.service";

/** The field by which a transaction's lines are found again in the journal. */
const idField = "SVC_UPGRADE_TRANSACTION";

export type TransactionUnit = {
  readonly id: string;
  readonly what: string;
  /** Holds the variables of this call: values in an argument vector could be read by every user of the host. */
  readonly environmentFile: string;
  /** Where the unit writes how the program ended. */
  readonly endFile: string;
  /** Where its stdout goes; undefined: to the journal. */
  readonly outputFile?: string | undefined;
};

/** A transient unit that no stop kills, and whose output shows among the lines of svc-upgrade.service. */
export function transactionArgv(argv: Argv, { id, what, environmentFile, endFile, outputFile }: TransactionUnit): Argv {
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
    `StandardOutput=${outputFile === undefined ? "journal" : `file:${outputFile}`}`,
    "StandardError=journal",
    "SyslogIdentifier=svc-upgrade",
    // What the program prints is not the story of what changed: the pass tells that itself, as notices.
    "SyslogLevel=info",
    `LogExtraFields=OBJECT_SYSTEMD_UNIT=svc-upgrade.service`,
    `LogExtraFields=${idField}=${id}`,
    // Not the agent's file as well, which may be another user's: too many variables (APT_CONFIG, PERL5OPT, PYTHONPATH,
    // BASH_ENV and more) name a program to run. Of its proxies the call's own variables and files tell.
    `EnvironmentFile=${environmentFile}`,
    `UnsetEnvironment=${dangerousVariables.join(" ")}`,
    `ExecStopPost=${writeEndCommand(id, endFile)}`,
  ];
  return [
    "systemd-run",
    `--unit=${transactionUnit}`,
    `--description=svc-upgrade: ${what}`,
    "--collect",
    // Nor does it wait for the end, as it could through the bus alone: that may go away in the middle, and does in a shutdown.
    "--no-block",
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

/** Whether the unit is there, and whose it is: the id stands in its last command. */
export const lookArgv: Argv = ["systemctl", "show", "--property=LoadState,ExecStopPost", "--", transactionUnit];
