import type { ClientHttp2Stream } from "node:http2";
import type { Duplex } from "node:stream";
import { call } from "../api/call.ts";
import type { EndedShellJson } from "../api/generated/svc/v1/shell_pb.ts";
import type { Transport } from "../api/transport.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import type { Log } from "../../machine/logging/log.ts";
import { every } from "../auth/repeat-every.ts";
import { sayNowAndThen } from "./say-now-and-then.ts";

export type HeldShells = {
  /** Watches a stream to a host until it ends. */
  readonly begin: (shell: string, host: Duplex) => void;
  /** Notes that a person's connection uses this stream now. */
  readonly spliced: (host: Duplex, person: Duplex) => void;
  /** Tells auth of a shell that never began. */
  readonly failed: (shell: string, why: string) => void;
  readonly stop: () => Promise<void>;
};

type Ports = { readonly transport: () => Transport | undefined; readonly log: Log };
type Ended = { readonly shell: string; bytesIn: number; bytesOut: number; why: string | undefined };
type Held = Ended & { readonly host: Duplex };

/** Short, so that a shell which auth no longer allows ends within ten seconds. */
const lookEveryMs = 5000;
const longestLookMs = 5000;
const longestLastLookMs = 2000;
/** The most that auth accepts in one call. */
const mostAtOnce = 50;
const mostUntold = 10_000;

/** Tells auth which shells of this proxy are over, and ends those that auth no longer allows. */
export function holdShells({ transport, log }: Ports): HeldShells {
  const began = monotonicMs();
  const held = new Map<string, Held>();
  const byStream = new WeakMap<Duplex, Held>();
  let untold: EndedShellJson[] = [];
  /** At the first call after a restart, auth may still know shells from before. */
  let isFirst = true;
  const tell = sayNowAndThen(log, "auth could not be asked which shells may stay open; they stay");

  function over({ shell, bytesIn, bytesOut, why = "the host ended it" }: Ended): void {
    held.delete(shell);
    untold.push({ shell, bytesIn: String(bytesIn), bytesOut: String(bytesOut), why });
    if (untold.length > mostUntold) untold.shift();
  }

  async function look(timeoutMs = longestLookMs): Promise<void> {
    const auth = transport();
    if (auth === undefined || (!isFirst && held.size === 0 && untold.length === 0)) return;
    const ended = untold.slice(0, mostAtOnce);
    const request = { upSeconds: Math.floor((monotonicMs() - began) / 1000), ended };
    const { ending = [] } = await call(auth, { method: "ShellService/KeepShells", request }, { timeoutMs });
    isFirst = false;
    untold = untold.filter((one) => !ended.includes(one));
    for (const { shell = "", why = "" } of ending) end(held.get(shell), why);
    if (untold.length > 0) await look(timeoutMs);
  }

  function end(one: Held | undefined, why: string): void {
    if (one === undefined) return;
    log("notice", `a person's shell is ended: ${why}`, { shell: one.shell });
    one.why = why;
    one.host.destroy();
  }

  const stop = every(lookEveryMs, look, tell);
  return {
    begin: (shell, host) => {
      const one: Held = { shell, host, bytesIn: 0, bytesOut: 0, why: undefined };
      held.set(shell, one);
      byStream.set(host, one);
      host.once("close", () => {
        if ((host as ClientHttp2Stream).rstCode !== 0) one.why ??= "the tunnel to the host broke";
        over(one);
      });
    },
    spliced: (host, person) => {
      const one = byStream.get(host);
      if (one === undefined) return;
      host.on("data", ({ length }: Buffer) => (one.bytesOut += length));
      person.on("data", ({ length }: Buffer) => (one.bytesIn += length));
      person.once("close", () => (one.why ??= "the person ended it"));
    },
    failed: (shell, why) => over({ shell, bytesIn: 0, bytesOut: 0, why }),
    stop: async () => {
      await stop();
      await look(longestLastLookMs).catch(tell);
    },
  };
}
