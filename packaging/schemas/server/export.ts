import type { Answer } from "../answer.ts";
import { list, text } from "../shapes.ts";

export const exported: Answer = {
  told: "The files that now hold the answers.",
  commands: ["export"],
  keys: { always: { files: list("every file that was written", text("its path, below the folder that was named")) } },
};
