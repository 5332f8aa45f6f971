import { encode } from "../../../rules/shape/write.ts";
import type { Served } from "../../../rules/channel/answer.ts";
import { compare, stayLine, tellLift } from "../../../rules/decide/comparison.ts";
import { movedLine } from "../../sentences/decision.ts";
import type { FaultData } from "../../../rules/fault/fault.ts";
import type { Decision, Move, Stay } from "../../plan/host-decision.ts";
import type { Foreseen } from "../../plan/foreseen.ts";
import { moveReasons, stayReasons } from "../../plan/host-reasons.ts";
import type { Movement } from "../../plan/target.ts";
import type { Recovered } from "../../record/state.ts";
import { asWritten } from "../../../rules/shape/unknown-keys.ts";
import { always, answer, instant, kindsOf, line, orNull, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { exactly, truth, words, type JsonOf, type Shape } from "../../../rules/shape/shape.ts";
import type { Version } from "../../../rules/version/version.ts";
import type { UnixSeconds } from "../../../rules/window/window.ts";
import { fault } from "./fault.ts";
import { orderlyOutcome, recovery, recoveryWhat, type OrderlyOutcome } from "./outcome.ts";
import { tellRecovered, tellUndone } from "../../sentences/step.ts";

export const movements: Readonly<Record<Movement["kind"], string>> = {
  install: "the package is not there yet",
  upgrade: "to a newer version",
  downgrade: "to an older version",
  repair: "the package is half installed, or its binary is missing or not what the package says",
};

export const movementWords: Shape<string, string> = words<string>(movements);

const target = recordOf<Movement>()({
  kind: always("in which direction", movementWords, (to) => asWritten(to, "kind")),
  to: always("the version that is moved to", line, "to"),
});

const inWords = always("the reason in words, for people; the words may change", line, (taken: Stay | Move) => taken.told);

/** The decisions of a pass or dry run that had no fault. */
export const decisions = {
  stay: recordOf<Stay>("everything stays as it is")({
    kind: always("nothing moves", exactly<string>("stay"), (taken) => asWritten(taken, "kind")),
    why: always("the reason, for programs", words<string>(stayReasons), (taken) => asWritten(taken, "why")),
    told: inWords,
    until: sometimes("when it ends by itself", instant, "until"),
    lift: sometimes("what lifts it where time alone does not: a command to type, or what has to happen", line, "lift"),
  }),
  move: recordOf<Move>("the agent moves to another version")({
    kind: always("something moves", exactly<string>("move"), (taken) => asWritten(taken, "kind")),
    why: always("the reason, for programs", words<string>(moveReasons), (taken) => asWritten(taken, "why")),
    told: inWords,
    target: always("where to", target, "target"),
  }),
};
export const decided = kindsOf<Stay | Move>()(decisions);

export const installedKey = always(
  "the installed version; null where the agent is not installed, or its version cannot be read",
  orNull(line),
  (seen: { readonly installed: Version | undefined }) => seen.installed,
);

/** The data that a dry run and a pass both answer with. */
export type Answerable = {
  readonly installed: Version | undefined;
  /** Undefined if the version server was not asked. */
  readonly served: Served | undefined;
  readonly channel: string;
  readonly pin?: Version | undefined;
  readonly decision: Exclude<Decision, { kind: "stop" }>;
  readonly doubt?: string | undefined;
  readonly outcome?: OrderlyOutcome;
  readonly recovered?: Recovered | undefined;
  /** When the decision was made; undefined means now. */
  readonly at?: UnixSeconds | undefined;
  /** What a dry run foresees of a move. */
  readonly foreseen?: Foreseen | undefined;
};

const listsAt = sometimes("when the package lists that were looked into were fetched, where that is known", instant, "listsAt");

const simulated = kindsOf<Foreseen>()({
  possible: recordOf<Extract<Foreseen, { kind: "possible" }>>("the package manager would make the move")({
    kind: always("it would be made", exactly<string>("possible"), (seen) => asWritten(seen, "kind")),
    listsAt,
  }),
  refused: recordOf<Extract<Foreseen, { kind: "refused" }>>("the move would fail before it changes anything")({
    kind: always("it would not be made", exactly<string>("refused"), (seen) => asWritten(seen, "kind")),
    fault: always("why not", fault, (seen): FaultData => seen.fault),
    listsAt,
  }),
  "not-looked": recordOf<Extract<Foreseen, { kind: "not-looked" }>>("it is not known whether the move could be made")({
    kind: always("it was not looked at", exactly<string>("not-looked"), (seen) => asWritten(seen, "kind")),
    told: always("what was not looked at, and why, for people; the words may change", line, "told"),
    listsAt,
  }),
});

const simulatedKey = sometimes(
  "what a dry run saw ahead of a move that is due now or later; left out without such a move",
  simulated,
  ({ foreseen }: Answerable) => foreseen,
);

const answerWhat = "What a pass found, what it decided, and what became of it; of a dry run, what a pass would decide.";

/** Keys about the present. */
const now = {
  installed: installedKey,
  served: always(
    "the version that the channel serves; null where it serves none, was not asked (rollback), or gave no answer, which a repair does without",
    orNull(line),
    ({ served }: Answerable) => (served?.kind === "version" ? served.version : undefined),
  ),
  channel: always("the channel that the agent follows", line, ({ channel }: Answerable) => channel),
  available: always(
    "whether the served version is newer than the installed one",
    truth,
    (of: Answerable) => of.served !== undefined && compare(of.installed, of.served).isAvailable,
  ),
  decision: always("what was decided, and why", decided, (of: Answerable) => of.decision),
};

/** The answer of a dry run, with the keys about the present. */
export const dryAnswer = answer<Answerable>(answerWhat)({ ...now, simulated: simulatedKey });

/** The answer of a pass: what it found and decided, and how it ended. Later versions only add keys. */
export const passAnswer = answer<Answerable>(answerWhat)({
  ...now,
  pin: sometimes("the version that an administrator pinned: a pass moves to it, whatever the channel serves", line, "pin"),
  doubt: sometimes("why the update waits although it is called critical, for people; left out where it does not", line, "doubt"),
  outcome: sometimes("how the pass ended; left out of a dry run", orderlyOutcome, "outcome"),
  fault: sometimes("why the move was undone; the exit status is 10 then", fault, ({ outcome }) =>
    outcome?.kind === "undone" ? outcome.fault : undefined,
  ),
  recovered: sometimes(recoveryWhat, recovery, "recovered"),
  at: sometimes("the time that dry-run --at asked about; left out where that is now", instant, "at"),
  simulated: simulatedKey,
});
export type AnswerJson = JsonOf<typeof passAnswer>;

export function answerJson(answerable: Answerable): AnswerJson {
  return encode(passAnswer, answerable);
}

/** The line that a pass prints if it leaves the host in order. */
export function passLine(answerable: Answerable): string {
  const { outcome, recovered } = answerable;
  const first = recovered === undefined || recovered.ended === "unchanged" ? "" : `${tellRecovered(recovered)}; `;
  return `${first}${outcome?.kind === "undone" ? tellUndone(outcome) : lineOf(answerable)}`;
}

function lineOf({ installed, served, decision }: Answerable): string {
  if (decision.kind === "move") return movedLine(decision.target);
  const stays = served === undefined ? aloneLine(decision) : stayLine(compare(installed, served), decision);
  return `${stays}${tellLift(decision)}`;
}

/** The line without a served version to compare with. */
function aloneLine({ why, told }: Stay): string {
  return why === "pinned" ? told : `not now: ${told}`;
}
