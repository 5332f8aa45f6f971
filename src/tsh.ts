import { startedWith } from "./host/started.ts";
import { main } from "./tsh/main.ts";
import { typingOf } from "./tsh/typing.ts";

const started = startedWith(process);

void main({ ...started, ...typingOf(started.stopping) }).then((status) => {
  // Everything was written synchronously.
  process.exit(status);
});
