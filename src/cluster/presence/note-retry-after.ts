import type { Transport } from "../api/transport.ts";
import { retryAfterMs } from "../../machine/network/retry.ts";

export type Noting = {
  readonly transport: Transport;
  /** How many seconds auth's last answer asked to wait. */
  readonly askedSeconds: () => number | undefined;
};

/** Wraps a transport, and remembers how long auth asks to wait. A fault does not have that as a number. */
export function noteRetryAfter(over: Transport): Noting {
  let askedMs: number | undefined;
  const post: Transport["post"] = async (posted) => {
    const answer = await over.post(posted);
    askedMs = retryAfterMs({ retryAfter: answer.retryAfter, date: undefined });
    return answer;
  };
  return {
    transport: { ...over, post },
    askedSeconds: () => (askedMs === undefined ? undefined : Math.ceil(askedMs / 1000)),
  };
}
