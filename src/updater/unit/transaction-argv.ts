import { dangerousVariables } from "./environment.ts";
import { writeEndCommand } from "./transaction-end.ts";

type Argv = readonly [string, ...string[]];

/** The fixed name rules out a second transaction at the same time. */
export const transactionUnit = "svc-upgrade-transaction.service";

/** The journal field by which we find a transaction's lines. */
const idField = "SVC_UPGRADE_TRANSACTION";

export type TransactionUnit = {
  readonly id: string;
  readonly what: string;
  /** A file with the call's variables: every user of the host could read them in a command line. */
  readonly environmentFile: string;
  /** Where the unit writes how the program ended. */
  readonly endFile: string;
  /** The file for the program's stdout; undefined means the journal. */
  readonly outputFile?: string | undefined;
};

/** The command for a transient unit that survives every stop, and whose output is in the journal of svc-upgrade.service. */
export function transactionArgv(argv: Argv, { id, what, environmentFile, endFile, outputFile }: TransactionUnit): Argv {
  const properties = [
    // Not "exec", with which systemd-run returns 1 if the program fails before systemd reports its start.
    "Type=simple",
    // A stop sends a harmless signal and then waits. A shutdown has its own limit of 30 minutes.
    "KillSignal=SIGCONT",
    "TimeoutStopSec=infinity",
    // Kills processes that the program leaves behind, such as dnf's gpg-agent: they would keep the unit and the pass from ending.
    "KillMode=mixed",
    // Uses no pipe to this process: if we died, a write into the pipe would kill the program.
    "StandardInput=null",
    `StandardOutput=${outputFile === undefined ? "journal" : `file:${outputFile}`}`,
    "StandardError=journal",
    "SyslogIdentifier=svc-upgrade",
    // The lines are only details, because the pass reports what changed as notices.
    "SyslogLevel=info",
    `LogExtraFields=OBJECT_SYSTEMD_UNIT=svc-upgrade.service`,
    `LogExtraFields=${idField}=${id}`,
    // Does not read the agent's environment file, which another user may own: many variables (APT_CONFIG, PERL5OPT, PYTHONPATH, BASH_ENV and more)
    // name a program to run. The call's own variables and files have its proxies.
    `EnvironmentFile=${environmentFile}`,
    `UnsetEnvironment=${dangerousVariables.join(" ")}`,
    `ExecStopPost=${writeEndCommand(id, endFile)}`,
  ];
  return [
    "systemd-run",
    `--unit=${transactionUnit}`,
    `--description=svc-upgrade: ${what}`,
    "--collect",
    // Does not wait for the end: that needs the bus, which a shutdown ends before the program.
    "--no-block",
    "--quiet",
    ...properties.flatMap((property) => ["-p", property]),
    "--",
    ...argv,
  ];
}

/** Asks for the program's lines by the journal field that its unit sets. */
export function transactionLinesArgv(id: string, mostLines: number): Argv {
  return ["journalctl", "--quiet", "--no-pager", "-o", "cat", "-n", String(mostLines), `${idField}=${id}`, "_TRANSPORT=stdout"];
}

/** Asks whether the unit exists, and for its last command, which contains the transaction's id. */
export const lookArgv: Argv = ["systemctl", "show", "--property=LoadState,ExecStopPost", "--", transactionUnit];
