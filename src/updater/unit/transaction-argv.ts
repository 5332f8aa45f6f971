import { dangerousVariables } from "./environment.ts";
import { writeEndCommand } from "./transaction-end.ts";

type Argv = readonly [string, ...string[]];

/** The fixed name rules out a second transaction at the same time. */
export const transactionUnit = "svc-upgrade-transaction.service";

/** The journal field that finds a transaction's lines again. */
const idField = "SVC_UPGRADE_TRANSACTION";

export type TransactionUnit = {
  readonly id: string;
  readonly what: string;
  /** Holds this call's variables: every user of the host could read them in an argument vector. */
  readonly environmentFile: string;
  /** Where the unit writes how the program ended. */
  readonly endFile: string;
  /** The file for its stdout; undefined: the journal. */
  readonly outputFile?: string | undefined;
};

/** A transient unit that survives every stop, and whose output appears in the journal of svc-upgrade.service. */
export function transactionArgv(argv: Argv, { id, what, environmentFile, endFile, outputFile }: TransactionUnit): Argv {
  const properties = [
    // Not "exec": if the program fails before systemd reports its start, systemd-run returns 1 as its status.
    "Type=simple",
    // A stop sends a harmless signal, then waits; a shutdown has its own limit of 30 minutes.
    "KillSignal=SIGCONT",
    "TimeoutStopSec=infinity",
    // The program may leave processes behind (dnf leaves a gpg-agent); they would keep the unit, and so the pass, from ending.
    "KillMode=mixed",
    // No pipe to this process: if it died, a write into the pipe would kill the program.
    "StandardInput=null",
    `StandardOutput=${outputFile === undefined ? "journal" : `file:${outputFile}`}`,
    "StandardError=journal",
    "SyslogIdentifier=svc-upgrade",
    // Only details: the pass itself reports what changed, as notices.
    "SyslogLevel=info",
    `LogExtraFields=OBJECT_SYSTEMD_UNIT=svc-upgrade.service`,
    `LogExtraFields=${idField}=${id}`,
    // Without the agent's environment file, which another user may own: too many variables (APT_CONFIG, PERL5OPT, PYTHONPATH, BASH_ENV and
    // more) name a program to run. The call's own variables and files hold its proxies.
    `EnvironmentFile=${environmentFile}`,
    `UnsetEnvironment=${dangerousVariables.join(" ")}`,
    `ExecStopPost=${writeEndCommand(id, endFile)}`,
  ];
  return [
    "systemd-run",
    `--unit=${transactionUnit}`,
    `--description=svc-upgrade: ${what}`,
    "--collect",
    // Does not wait for the end, because that needs the bus, which ends before the program in a shutdown.
    "--no-block",
    "--quiet",
    ...properties.flatMap((property) => ["-p", property]),
    "--",
    ...argv,
  ];
}

/** The program's own lines, found by the journal field that its unit sets. */
export function transactionLinesArgv(id: string, mostLines: number): Argv {
  return ["journalctl", "--quiet", "--no-pager", "-o", "cat", "-n", String(mostLines), `${idField}=${id}`, "_TRANSPORT=stdout"];
}

/** Asks whether the unit exists, and for its last command, which contains the id. */
export const lookArgv: Argv = ["systemctl", "show", "--property=LoadState,ExecStopPost", "--", transactionUnit];
