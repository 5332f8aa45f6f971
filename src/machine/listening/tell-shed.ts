import type { Log } from "../logging/log.ts";
import { monotonicMs } from "../clocks/monotonic.ts";
import type { ConnectionsPorts, Shed } from "./connections.ts";

/** Limits the lines, because a flood of connections must not flood the log. */
const tellEveryMs = 60_000;

const sentences: Readonly<Record<Shed, string>> = {
  "most-connections": "there are too many connections: idle ones were closed, the oldest of the address with the most",
  "most-unread": "too much is asked by clients that do not read their answers: those with the most were closed",
};

/** Counts connections closed to make room, and logs them at most once a minute. */
export function tellShed(log: Log, { shed }: { readonly shed: Record<Shed, number> }): ConnectionsPorts["told"] {
  const toldMs = new Map<Shed, number>();
  return (why, closed) => {
    shed[why] += closed.length;
    const nowMs = monotonicMs();
    if (nowMs - (toldMs.get(why) ?? -tellEveryMs) < tellEveryMs) return;
    toldMs.set(why, nowMs);
    log("warning", sentences[why], { closed: closed.length, from: closed[0]?.from });
  };
}
