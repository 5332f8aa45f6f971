import type { Answer } from "../answer.ts";
import { instant, record, text, truth } from "../shapes.ts";

export const hold: Answer = {
  told: "The hold that is in force now.",
  commands: ["hold"],
  keys: {
    always: {
      hold: record("nothing moves while it lasts", {
        always: {},
        sometimes: { until: instant("its end; left out: until unhold"), reason: text("why, as it was given") },
      }),
    },
  },
};

export const unhold: Answer = {
  told: "That no hold is in force any more.",
  commands: ["unhold"],
  keys: { always: { ended: truth("whether there was one to end") } },
};
