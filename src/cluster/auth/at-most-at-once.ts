import { Fault } from "../../rules/fault/fault.ts";
import type { Handler } from "./context.ts";

/** Everybody may call these methods, and each call costs a signature or two. The limit leaves time for other calls. */
export function atMost<Request, Response>(most: number, handler: Handler<Request, Response>): Handler<Request, Response> {
  let running = 0;
  return async (context, caller, request) => {
    if (running >= most) {
      throw new Fault("auth-busy", {
        message: `${most} hosts join or renew at present, which is as many as are let in at once`,
        hint: "ask again in some seconds",
        retryAfterSeconds: 5,
      });
    }
    running += 1;
    try {
      return await handler(context, caller, request);
    } finally {
      running -= 1;
    }
  };
}
