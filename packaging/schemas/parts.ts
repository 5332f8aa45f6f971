import { faultTable } from "../../src/fault/table.ts";
import { moveReasons, stayReasons } from "../../src/plan/reasons.ts";
import type { Movement } from "../../src/plan/target.ts";
import type { Outcome, Recovered, StepName } from "../../src/record/state.ts";
import type { Answer } from "./answer.ts";
import { count, eitherOf, exactly, instant, list, oneOf, orNull, record, text, type JsonSchema } from "./shapes.ts";

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
  keep: "the package of the installed version is kept for a rollback, and that of the served one fetched",
  install: "the package manager's transaction",
  verify: "the package database and the binary are asked which version they are",
  activate: "the agent is made to run what was installed",
  health: "the agent is watched until it has run well for a while",
  "back-install": "rollback: the kept package is installed in place of what failed",
  "back-verify": "rollback: the package database and the binary are asked again",
  "back-activate": "rollback: the agent is made to run the previous version",
  "back-health": "rollback: the agent is watched again",
};

const told = text("the reason in words, for people; the words may change");

export const fault: JsonSchema = record("what went wrong", {
  always: {
    code: oneOf("the fault, for programs", meaningsOf(faultTable)),
    message: text("what was found, for people; the words may change"),
    hint: text("what to type or to do next, for people"),
  },
});

export const stepName: JsonSchema = oneOf("a step of a move, or of its rollback, in their order", steps);

const evidence: JsonSchema = list(
  "the last lines of the agent's unit in the journal, oldest first; for whoever may not read the journal, where they lie",
  text("a line, in which what looks like a secret is masked; or the word in and the path of a file"),
);

function packaged(which: string): JsonSchema {
  return text(`the version of the package ${which}, as the package manager writes it`);
}

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
      to: packaged("that is installed now"),
      seconds: count("how long the pass took"),
    },
    sometimes: { from: packaged("before; left out where there was none") },
  }),
  undone: record("the move failed, and the agent runs the version before it again", {
    always: {
      kind: exactly("failed, undone, and that verified", "undone"),
      left: packaged("that failed"),
      to: packaged("before, which is installed again"),
      seconds: count("how long the pass took"),
      step: stepName,
      evidence,
    },
  }),
};

/** How a pass ends that leaves the host in order. */
export const orderlyEnds: readonly JsonSchema[] = Object.values(ends);

/** How a pass ends otherwise. */
export const otherEnds: readonly JsonSchema[] = [
  record("it came to no decision", { always: { kind: exactly("a fault ended it before a decision", "stopped") } }),
  record("a step of the move failed", {
    always: { kind: exactly("a step failed", "failed"), step: stepName, evidence },
    sometimes: {
      back: eitherOf("why that was not undone; left out where nothing had been changed", [
        record("no rollback was tried", {
          always: { kind: exactly("it was not tried", "not-tried"), why: text("why, for people; the words may change") },
        }),
        record("the rollback failed too", {
          always: {
            kind: exactly("a step of the rollback failed", "failed"),
            step: stepName,
            fault: { ...fault, description: "why the rollback failed" },
          },
        }),
      ]),
    },
  }),
];

const recoveries: Readonly<Record<Recovered["ended"], string>> = {
  unchanged: "the previous version is in place, whole",
  finished: "the move was carried to its end",
  undone: "the move was rolled back",
  "not-mended": "neither could be done; an administrator has to look",
};

export const recovered: JsonSchema = record("what the pass did first, about a move that an earlier one had begun and not ended", {
  always: {
    step: stepName,
    version: text("the version that was being moved to"),
    ended: oneOf("what came of it", recoveries),
  },
});
