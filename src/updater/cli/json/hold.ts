import type { Hold } from "../../../rules/decide/gate-policy.ts";
import { always, answer, instant, line, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { truth } from "../../../rules/shape/shape.ts";

const hold = recordOf<Hold>()({
  until: sometimes("its end; left out: until unhold", instant, "until"),
  reason: sometimes("why, as it was given", line, "reason"),
});

export const holdAnswer = answer<Hold>("The hold that is in force now.")({
  hold: always("nothing moves while it lasts", hold, (asked) => asked),
});

export const unholdAnswer = answer<boolean>("That no hold is in force any more.")({
  ended: always("whether there was one to end", truth, (isRemoved) => isRemoved),
});
