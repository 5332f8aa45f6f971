import { startedWith } from "./machine/program/started.ts";
import { main } from "./cluster/tctl/main.ts";

void main(startedWith(process)).then((status) => {
  // Everything was written synchronously.
  process.exit(status);
});
