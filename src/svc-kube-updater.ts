import { noDefaultTrust } from "./machine/host/no-default-trust.ts";
import { startAnew } from "./machine/host/start-anew.ts";
import { startedWith } from "./machine/host/started.ts";
import { main } from "./kube/reconcile/main.ts";

startAnew(process);
const environment = { ...process.env };
noDefaultTrust(process.env);

void main({ ...startedWith(process), environment }).then((status) => {
  // Everything was written synchronously; a watch that still ends must not hold the process.
  process.exit(status);
});
