import { startedWith } from "./host/started.ts";
import { main } from "./tctl/main.ts";

void main(startedWith(process)).then((status) => {
  // Everything was written synchronously.
  process.exit(status);
});
