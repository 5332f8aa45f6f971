import { statusWithOutput } from "./machine/program/standard-streams.ts";
import { startedWith } from "./machine/program/started.ts";
import { main } from "./cluster/tsh/main.ts";
import { typingOf } from "./cluster/tsh/typing.ts";

const started = startedWith(process);

const self = [process.execPath, ...process.execArgv, process.argv[1] ?? ""];

void main({ ...started, ...typingOf(started.stopping), self }).then((status) => {
  // Everything was written synchronously.
  process.exit(statusWithOutput(status));
});
