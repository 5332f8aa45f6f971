import type { Answer } from "../answer.ts";
import { text } from "../shapes.ts";

export const version: Answer = {
  told: "The version of svc-proxy itself.",
  commands: ["version"],
  keys: { always: { version: text("a semantic version") } },
};
