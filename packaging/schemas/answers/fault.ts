import type { Answer } from "../answer.ts";
import { fault as shape } from "../parts.ts";

export const fault: Answer = {
  told: "What stopped a command, in place of its own answer; the exit status is the fault's.",
  commands: ["every command"],
  keys: { always: { fault: shape } },
};
