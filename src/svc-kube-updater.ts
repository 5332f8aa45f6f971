import { noDefaultTrust } from "./machine/program/no-default-trust.ts";
import { startAnew } from "./machine/program/start-anew.ts";
import { statusWithOutput } from "./machine/program/standard-streams.ts";
import { startedWith } from "./machine/program/started.ts";
import { main } from "./kube/reconcile/main.ts";

startAnew(process);
const environment = { ...process.env };
noDefaultTrust(process.env);

void main({ ...startedWith(process), environment }).then((status) => {
  // Everything was written synchronously. A watch that is still ending must not hold the process.
  process.exit(statusWithOutput(status));
});
