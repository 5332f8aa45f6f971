import { isJournal, writeToStandardError, writeToStandardOutput } from "./host/standard-streams.ts";
import { main } from "./cli/main.ts";

const stopping = new AbortController();
// A pass finishes the step in hand. SIGHUP comes with a lost terminal, and a pass must outlive that.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stopping.abort());

void main({
  argv: process.argv.slice(2),
  environment: process.env,
  userId: process.getuid?.() ?? -1,
  out: writeToStandardOutput,
  error: writeToStandardError,
  stderrIs: isJournal(process.env["JOURNAL_STREAM"]) ? "journal" : "other",
  stopping: stopping.signal,
}).then((status) => {
  // Everything was written synchronously; a name that is still being looked up must not hold the process.
  process.exit(status);
});
