import type { Standing } from "../../../src/status/standing.ts";
import type { Answer } from "../answer.ts";
import { ofAnyRelease } from "../any-release.ts";
import { decision, fault, installed } from "../parts.ts";
import { list, oneOf, orNull, record, text, truth } from "../shapes.ts";
import { wayKeys } from "./route.ts";
import { hostKeys } from "./status/host.ts";
import { memoryKeys } from "./status/memory.ts";
import { next } from "./status/next.ts";
import { whenKeys } from "./status/when.ts";

const standings: Readonly<Record<Standing["kind"], string>> = {
  running: "a pass is running now",
  stopped: "something ends every pass before it can decide: fault says what",
  off: "the timer starts no pass",
  failing: "the last pass ended in a fault; only the next one can tell whether it is fixed",
  next: "none of these: next says what a pass would decide",
};

export const status: Answer = {
  told: "Why nothing happened, and when something can: what is known without asking anybody.",
  commands: ["status"],
  keys: {
    always: {
      installed,
      served: orNull(text("the version that the channel served last; null where it served none, or was never asked")),
      channel: orNull(text("the channel that the agent follows; null where the settings are wrong")),
      available: truth("whether the version that was served last is newer than the installed one"),
      standing: oneOf("the one thing to know first", standings),
      next,
      ...whenKeys.always,
      ...memoryKeys.always,
      ...hostKeys.always,
      unread: list("what could not be seen, by this user or at all", text("a sentence, for people")),
    },
    sometimes: {
      decision: {
        ...ofAnyRelease(decision),
        description: "what the last pass decided; left out where it came to no decision, or none ran yet",
      },
      fault: { ...fault, description: "what ends every pass before it can decide" },
      endpoint: text("where the version is asked for; left out where none is known"),
      route: record("the way there", wayKeys),
      ...whenKeys.sometimes,
      ...memoryKeys.sometimes,
      ...hostKeys.sometimes,
    },
  },
};
