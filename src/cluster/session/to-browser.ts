import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { Transport } from "../api/transport.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Showing = { readonly transport: Transport; readonly out: (text: string) => void; readonly environment: Environment };

/** Prints the address of a sign-in, which may also be opened on another computer. Opens it here if somebody sits at a screen. */
export function showAddress(
  url: string,
  { transport, out, environment }: Showing,
  screen: "somebody may sit here" | "nobody sits here",
): void {
  if (URL.parse(url)?.protocol !== "https:") throw notAnAddress(transport);
  out(`Open this address in a browser, on any computer, and sign in there:\n\n    ${quote(url, 500)}\n\n`);
  if (screen === "somebody may sit here") openBrowser(url, environment);
}

/** Opens the address in a browser. Ignores a failure, because the address was printed. */
function openBrowser(url: string, environment: Environment): void {
  const isMac = process.platform === "darwin";
  if (!isMac && (environment["DISPLAY"] ?? environment["WAYLAND_DISPLAY"] ?? "") === "") return;
  const child = spawn(isMac ? "open" : "xdg-open", [url], { detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
}

/** The time between two questions about a sign-in. */
const askEveryMs = 2000;

/** Asks again and again until there is an answer. Also asks again after a question that failed on the way. */
export async function untilAnswered<Answer>(ask: () => Promise<Answer | undefined>, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    await pause(askEveryMs, undefined, { signal }).catch(() => {
      throw new Fault("stopped", { message: "it was stopped; nobody is signed in", hint: "type it again when you are ready" });
    });
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (thrown) {
      if (signal.aborted || (thrown instanceof Fault && !isPassing(thrown))) throw thrown;
    }
  }
}

/** Whether the next question may succeed, because auth or a proxy between is back. */
function isPassing({ code }: Fault): boolean {
  return code === "auth-unreachable" || code === "auth-busy" || code.startsWith("proxy-");
}

function notAnAddress({ whom }: Transport): Fault {
  return new Fault("auth-mismatch", {
    message: `${whom} answered without an address to open`,
    hint: "is it the public address of a proxy of the cluster?",
  });
}
