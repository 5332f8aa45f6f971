import { isatty } from "node:tty";
import { noDefaultTrust } from "./machine/program/no-default-trust.ts";
import { startAnew } from "./machine/program/start-anew.ts";
import { isJournal, statusWithOutput, writeToStandardError, writeToStandardOutput } from "./machine/program/standard-streams.ts";
import { main } from "./updater/cli/main.ts";

startAnew(process);
const environment = { ...process.env };
noDefaultTrust(process.env);

const stopping = new AbortController();
// Lets a pass finish its present step. SIGHUP comes with a lost terminal, which a pass must outlive.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stopping.abort());

/** Whether it is a terminal. A dumb one cannot go back in a line, and has no colours. */
function isTerminal(stream: 1 | 2): boolean {
  return isatty(stream) && process.env["TERM"] !== "dumb";
}

void main({
  argv: process.argv.slice(2),
  environment,
  userId: process.getuid?.() ?? -1,
  out: writeToStandardOutput,
  error: writeToStandardError,
  stdoutIs: isTerminal(1) ? "terminal" : "other",
  stderrIs: isJournal(process.env["JOURNAL_STREAM"]) ? "journal" : isTerminal(2) ? "terminal" : "other",
  stopping: stopping.signal,
}).then((status) => {
  // Everything was written synchronously. A name that is still being looked up must not hold the process.
  process.exit(statusWithOutput(status));
});
