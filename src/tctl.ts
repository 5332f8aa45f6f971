import { statusWithOutput } from "./machine/program/standard-streams.ts";
import { startedWith } from "./machine/program/started.ts";
import { main } from "./cluster/tctl/main.ts";

void main(startedWith(process)).then((status) => {
  // Everything was written synchronously.
  process.exit(statusWithOutput(status));
});
