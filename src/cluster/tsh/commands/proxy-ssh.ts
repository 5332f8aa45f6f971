import { once } from "node:events";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TshContext } from "../context.ts";
import { signedInFor, targetIn } from "../shell.ts";

const path = "/svc.v1.ShellService/OpenShell";
const protocol = "svc-shell";

/** Serves as ssh's ProxyCommand: joins standard input and output to the host's sshd. */
export async function proxySsh(context: TshContext, given: Given): Promise<number> {
  const [typed = ""] = given.arguments;
  const { profile, transport } = signedInFor(context, given);
  const { stopping } = context.surroundings;
  const body = Buffer.from(JSON.stringify(targetIn(typed, profile)));
  const posted = { path, contentType: "application/json", body, signal: stopping };
  const stream = await transport.upgrade(posted, protocol).catch((thrown: unknown) => {
    throw transport.explain(thrown);
  });
  stopping.addEventListener("abort", () => stream.destroy(), { once: true });
  process.stdin.pipe(stream);
  stream.pipe(process.stdout);
  stream.on("error", () => undefined);
  process.stdout.on("error", () => stream.destroy());
  await once(stream, "close");
  // Waits until the reader has taken the last bytes.
  await new Promise((written) => process.stdout.write("", written));
  return 0;
}
