import { startAnew } from "./machine/program/start-anew.ts";
import { isJournal, statusWithOutput, writeToStandardError, writeToStandardOutput } from "./machine/program/standard-streams.ts";
import { main } from "./proxy/server/main.ts";

startAnew(process);

const stopping = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stopping.abort());
let hangUp: () => void = () => undefined;
process.on("SIGHUP", () => hangUp());

void main({
  argv: process.argv.slice(2),
  environment: process.env,
  processId: process.pid,
  out: writeToStandardOutput,
  error: writeToStandardError,
  stderrIs: isJournal(process.env["JOURNAL_STREAM"]) ? "journal" : "other",
  stopping: stopping.signal,
  onHangUp: (listener) => (hangUp = listener),
}).then((status) => {
  // Everything was written synchronously.
  process.exit(statusWithOutput(status));
});
