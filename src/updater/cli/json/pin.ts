import type { Pin } from "../../../rules/decide/gate-policy.ts";
import { always, answer, line, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { truth } from "../../../rules/shape/shape.ts";
import type { Next } from "../../status/next.ts";
import { next, nextWhat } from "./status.ts";

type Following = { readonly next: Next };

const nextKey = always(nextWhat, next, (following: Following) => following.next);

const pin = recordOf<Pin>()({
  version: always("the version", line, "version"),
  reason: sometimes("why, as it was given", line, "reason"),
});

export const pinAnswer = answer<Following & { readonly pin: Pin }>("The pin that is in force now.")({
  pin: always("where passes move to, and stay, whatever the channel serves", pin, "pin"),
  next: nextKey,
});

export const unpinAnswer = answer<Following & { readonly isRemoved: boolean }>("That no version is pinned any more.")({
  ended: always("whether there was a pin to take away", truth, "isRemoved"),
  next: nextKey,
});
