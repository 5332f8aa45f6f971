import { serverFaults } from "../../server-faults.ts";
import type { Answer } from "../answer.ts";
import { meaningsOf } from "../../../src/shape/shown.ts";
import { oneOf, record, text } from "../shapes.ts";

export const fault: Answer = {
  told: "What stopped a command, in place of its own answer; the exit status is the fault's.",
  commands: ["every command"],
  keys: {
    always: {
      fault: record("what went wrong", {
        always: {
          code: oneOf("the fault, for programs", meaningsOf(serverFaults)),
          message: text("what was found, for people; the words may change"),
          hint: text("what to type or to do next, for people"),
        },
      }),
    },
  },
};
