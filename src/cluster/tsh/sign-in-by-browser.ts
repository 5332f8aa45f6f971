import { call } from "../api/call.ts";
import type { SignInResponseJson } from "../api/generated/svc/v1/session_pb.ts";
import type { Transport } from "../api/transport.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { showAddress, untilAnswered } from "../session/to-browser.ts";
import type { Secrets } from "./secrets.ts";

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
  const { transport, connector, client, secrets, stopping } = asking;
  const begun = await call(transport, { method: "SessionService/BeginSignIn", request: { connector, client } }, { stopping });
  const { id = "", url = "" } = begun;
  showAddress(url, asking, secrets.kind === "typed" ? "somebody may sit here" : "nobody sits here");
  const over = new AbortController();
  const ended = AbortSignal.any([stopping, over.signal]);
  // Rejects as soon as the sign-in is refused. Never resolves.
  const isRefused = untilAnswered<never>(async () => {
    await call(transport, { method: "SessionService/AwaitSignIn", request: { id } }, { stopping: ended });
    return undefined;
  }, ended);
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
