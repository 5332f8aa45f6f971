import { setTimeout as pause } from "node:timers/promises";
import { call } from "../api/call.ts";
import type { SignInResponseJson } from "../api/generated/svc/v1/session_pb.ts";
import type { Transport } from "../api/transport.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { openBrowser } from "./open-browser.ts";
import type { Secrets } from "./secrets.ts";

/** Between two questions whether the provider has refused. */
const askEveryMs = 2000;

export type ByBrowser = {
  readonly transport: Transport;
  readonly connector: string;
  readonly client: string;
  readonly secrets: Secrets;
  readonly out: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stopping: AbortSignal;
};

/** Prints an address to open in a browser, which may be on another computer, and asks for the code that its last page shows. */
export async function signInByBrowser(asking: ByBrowser): Promise<SignInResponseJson> {
  const { transport, connector, client, secrets, out, environment, stopping } = asking;
  const begun = await call(transport, { method: "SessionService/BeginSignIn", request: { connector, client } }, { stopping });
  const { id = "", url = "" } = begun;
  if (URL.parse(url)?.protocol !== "https:") throw notAnAddress(transport);
  out(`Open this address in a browser, on any computer, and sign in there:\n\n    ${quote(url, 500)}\n\n`);
  if (secrets.kind === "typed") openBrowser(url, environment);
  const over = new AbortController();
  const ended = AbortSignal.any([stopping, over.signal]);
  const isRefused = untilRefused(transport, id, ended);
  try {
    for (;;) {
      const code = await Promise.race([secrets.next("Code that the browser shows: "), isRefused]);
      secrets.rest();
      try {
        return await call(transport, { method: "SessionService/FinishSignIn", request: { id, code } }, { stopping });
      } catch (thrown) {
        if (secrets.kind === "read" || !(thrown instanceof Fault) || thrown.code !== "sign-in-refused") throw thrown;
        // Throws if the sign-in is over.
        await call(transport, { method: "SessionService/AwaitSignIn", request: { id } }, { stopping });
        await secrets.tell(`${thrown.message}: ${thrown.hint}\n`);
      }
    }
  } finally {
    over.abort();
    isRefused.catch(() => undefined);
  }
}

/** Rejects as soon as the sign-in is refused; never resolves. A question that fails on the way is asked again. */
async function untilRefused(transport: Transport, id: string, signal: AbortSignal): Promise<never> {
  for (;;) {
    await pause(askEveryMs, undefined, { signal, ref: false }).catch(() => {
      throw new Fault("stopped", { message: "it was stopped; nobody is signed in", hint: "type it again when you are ready" });
    });
    try {
      await call(transport, { method: "SessionService/AwaitSignIn", request: { id } }, { stopping: signal });
    } catch (thrown) {
      if (signal.aborted || (thrown instanceof Fault && !isPassing(thrown))) throw thrown;
    }
  }
}

/** Auth, or a proxy on the way, may be back at the next question. */
function isPassing({ code }: Fault): boolean {
  return code === "auth-unreachable" || code === "auth-busy" || code.startsWith("proxy-");
}

function notAnAddress({ whom }: Transport): Fault {
  return new Fault("auth-mismatch", {
    message: `${whom} answered without an address to open`,
    hint: "is it the public address of a proxy of the cluster?",
  });
}
