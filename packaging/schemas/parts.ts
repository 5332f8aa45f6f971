import { faultTable } from "../../src/fault/table.ts";
import { moveReasons, stayReasons } from "../../src/plan/reasons.ts";
import type { Movement } from "../../src/plan/target.ts";
import type { Outcome, StepName } from "../../src/record/state.ts";
import type { Answer } from "./answer.ts";
import { count, eitherOf, exactly, instant, oneOf, orNull, record, text, type JsonSchema } from "./shapes.ts";

/** With the key that every answer begins with. */
export function wholeAnswer({ told: what, keys: { always, sometimes = {} } }: Answer): JsonSchema {
  const schema = exactly("the number of this shape; under it keys are only ever added", 1);
  return record(what, { always: { schema, ...always }, sometimes });
}

/** The meanings of a table's rows, by word. */
export function meaningsOf(table: Readonly<Record<string, { readonly meaning: string }>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(table).map(([word, { meaning }]) => [word, plain(meaning)]));
}

/** Backquotes are the README's. */
function plain(words: string): string {
  return words.replaceAll("`", "");
}

export const installed: JsonSchema = orNull(
  text("the installed version; null where the agent is not installed, or its version cannot be read"),
);

const movements: Readonly<Record<Movement["kind"], string>> = {
  install: "the package is not there yet",
  upgrade: "to a newer version",
  downgrade: "to an older version",
  repair: "the package is half installed, or its binary is missing or not what the package says",
};

const steps: Readonly<Record<StepName, string>> = {
  refresh: "the package lists are refreshed, of the sources that offer the package alone",
  offer: "the exact package of the served version is looked for",
  simulate: "what the package manager would do is looked at, and refused if it touches anything else",
  install: "the package manager's transaction",
  verify: "the package database and the binary are asked which version they are",
  activate: "the agent is made to run what was installed",
};

const told = text("the reason in words, for people; the words may change");

export const fault: JsonSchema = record("what went wrong", {
  always: {
    code: oneOf("the fault, for programs", meaningsOf(faultTable)),
    message: text("what was found, for people; the words may change"),
    hint: text("what to type or to do next, for people"),
  },
});

export const stepName: JsonSchema = oneOf("a step of a move, in their order", steps);

/** What is decided where no fault stops it. */
export const decisionShapes: readonly JsonSchema[] = [
  record("everything stays as it is", {
    always: { kind: exactly("nothing moves", "stay"), why: oneOf("the reason, for programs", meaningsOf(stayReasons)), told },
    sometimes: {
      until: instant("when it ends by itself"),
      lift: text("what lifts it where time alone does not: a command to type, or what has to happen"),
    },
  }),
  record("the agent moves to another version", {
    always: {
      kind: exactly("something moves", "move"),
      why: oneOf("the reason, for programs", meaningsOf(moveReasons)),
      told,
      target: record("where to", {
        always: { kind: oneOf("in which direction", movements), to: text("the version that is moved to") },
      }),
    },
  }),
];

export const decision: JsonSchema = eitherOf("what was decided, and why", decisionShapes);

const ends: Readonly<Record<Exclude<Outcome["kind"], "stopped" | "failed">, JsonSchema>> = {
  stayed: record("nothing was changed", { always: { kind: exactly("nothing was changed", "stayed") } }),
  moved: record("the agent runs another version", {
    always: {
      kind: exactly("done, and verified", "moved"),
      to: text("the version of the package that is installed now, as the package manager writes it"),
      seconds: count("how long the pass took"),
    },
    sometimes: {
      from: text("the version of the package before, as the package manager writes it; left out where there was none"),
    },
  }),
};

/** How a pass ends that no fault ends. */
export const goodEnds: readonly JsonSchema[] = Object.values(ends);
