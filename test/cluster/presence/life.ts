import type { LogFields, LogLevel } from "../../../src/machine/logging/log.ts";
import { startPresence, type Presence, type PresencePorts } from "../../../src/cluster/presence/presence.ts";
import type { OverTls } from "../auth/over-tls.ts";
import type { Host } from "./host.ts";

type Line = { readonly level: LogLevel; readonly sentence: string; readonly fields: LogFields };

export type Life = AsyncDisposable & {
  readonly presence: Presence;
  readonly lines: readonly Line[];
  /** Each wait that began, in seconds. */
  readonly waits: readonly number[];
  /** Lets this many seconds go by, for the host and for auth. */
  readonly live: (seconds: number) => Promise<void>;
  /** The same while the host sleeps: it looks at nothing meanwhile. */
  readonly skip: (seconds: number) => void;
};

/** Time goes by in the waits alone: nothing is waited for. */
export function bring(auth: Pick<OverTls, "clock">, host: Host, changes: Partial<PresencePorts> = {}): Life {
  const stop = new AbortController();
  const [lines, waits]: [Line[], number[]] = [[], []];
  let left = 0;
  let resting: (() => void) | undefined;
  let goOn: (() => void) | undefined;
  const skip = (seconds: number): void => {
    auth.clock.now += seconds;
    host.clock.sinceBootSeconds += seconds;
  };
  const presence = startPresence({
    ...host.ports,
    log: (level, sentence, fields = {}) => void lines.push({ level, sentence, fields }),
    random: () => 0.5,
    stopping: stop.signal,
    wait: async (asked, signal) => {
      waits.push(asked);
      let seconds = asked;
      while (!signal.aborted && seconds > 0) {
        if (left <= 0) {
          await new Promise<void>((resolve) => {
            goOn = resolve;
            resting?.();
          });
          continue;
        }
        const now = Math.min(seconds, left);
        skip(now);
        left -= now;
        seconds -= now;
      }
    },
    ...changes,
  });
  return {
    presence,
    lines,
    waits,
    live: (seconds) =>
      new Promise((resolve) => {
        left = seconds;
        resting = resolve;
        goOn?.();
      }),
    skip,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      goOn?.();
      await presence.ended;
    },
  };
}
