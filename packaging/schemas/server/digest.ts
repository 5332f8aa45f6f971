import type { Answer } from "../answer.ts";
import { text } from "../shapes.ts";

export const digest: Answer = {
  told: "What all instances must have in common, to find the one that differs.",
  commands: ["config digest"],
  keys: {
    always: {
      config: text("the file that was read"),
      digest: text("of the channels as they are configured; a header of their answers tells the same"),
    },
  },
};
