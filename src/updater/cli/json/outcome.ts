import type { FaultData } from "../../../rules/fault/fault.ts";
import type { NoRollback, Outcome, Recovered, StepName } from "../../record/state.ts";
import { asWritten } from "../../../rules/shape/unknown-keys.ts";
import { always, kindsOf, line, list, recordOf, sometimes, told } from "../../../rules/shape/answer.ts";
import { count, exactly, words, type Shape } from "../../../rules/shape/shape.ts";
import { fault } from "./fault.ts";

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

type At = { readonly step: StepName };
const stepWords: Shape<string, string> = words<string>(steps);
export const step = always("a step of a move, or of its rollback, in their order", stepWords, (at: At) => asWritten(at, "step"));

const evidence = always(
  "the last lines of the agent's unit in the journal, oldest first; for a user who may not read the journal, the file that holds them",
  list(told("a line, in which what looks like a secret is masked; or the word in and the path of a file", line)),
  (found: { readonly evidence: readonly string[] }) => found.evidence,
);

const seconds = always("how long the pass took", count, (took: { readonly seconds: number }) => took.seconds);

function packaged(which: string): string {
  return `the version of the package ${which}, as the package manager writes it`;
}

function kind(what: string, word: string) {
  return always(what, exactly<string>(word), (one: { readonly kind: string }) => asWritten(one, "kind"));
}

/** The ends of a pass that leave the host in order. */
const orderly = {
  stayed: recordOf<Of<"stayed">>("nothing was changed")({ kind: kind("nothing was changed", "stayed") }),
  moved: recordOf<Of<"moved">>("the agent runs another version")({
    kind: kind("done, and verified", "moved"),
    from: sometimes(packaged("before; left out where there was none"), line, "from"),
    to: always(packaged("that is installed now"), line, "to"),
    seconds,
  }),
  undone: recordOf<Of<"undone">>("the move failed, and the agent runs the version before it again")({
    kind: kind("failed, undone, and that verified", "undone"),
    left: always(packaged("that failed"), line, "left"),
    to: always(packaged("before, which is installed again"), line, "to"),
    seconds,
    step,
    evidence,
  }),
};
type Of<K extends Outcome["kind"]> = Extract<Outcome, { readonly kind: K }>;

/** Why a move that failed was not taken back. */
const back = kindsOf<NoRollback>()({
  "not-tried": recordOf<Extract<NoRollback, { kind: "not-tried" }>>("no rollback was tried")({
    kind: kind("it was not tried", "not-tried"),
    why: always("why, for people; the words may change", line, "why"),
  }),
  failed: recordOf<Extract<NoRollback, { kind: "failed" }>>("the rollback failed too")({
    kind: kind("a step of the rollback failed", "failed"),
    step,
    fault: always("why the rollback failed", fault, (failed): FaultData => failed.fault),
  }),
});

export type OrderlyOutcome = Exclude<Outcome, { kind: "stopped" | "failed" }>;
export const orderlyOutcome = kindsOf<OrderlyOutcome>()(orderly);

export const anyOutcome = kindsOf<Outcome>()({
  ...orderly,
  stopped: recordOf<Of<"stopped">>("it came to no decision")({ kind: kind("a fault ended it before a decision", "stopped") }),
  failed: recordOf<Of<"failed">>("a step of the move failed")({
    kind: kind("a step failed", "failed"),
    step,
    evidence,
    back: sometimes("why that was not undone; left out where nothing had been changed", back, "back"),
  }),
});

const endings: Readonly<Record<Recovered["ended"], string>> = {
  unchanged: "the previous version is in place, whole",
  finished: "the move was carried to its end",
  undone: "the move was rolled back",
  "not-mended": "neither could be done; an administrator has to look",
};

/** The keys about a move that an earlier pass began and did not end. */
export const recoveryWhat = "what the pass did first, about a move that an earlier one had begun and not ended";
export const recoveryKeys = {
  step,
  ended: always("what came of it", words<string>(endings), (found: Pick<Recovered, "ended">) => asWritten(found, "ended")),
};
export const recovery = recordOf<Recovered>()({
  step,
  version: always("the version that was being moved to", line, "served"),
  ended: recoveryKeys.ended,
});
