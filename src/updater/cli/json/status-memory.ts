import { alternatingIn, mendAlternating, tellAlternating } from "../../../rules/channel/alternating.ts";
import { flappingIn, mendFlapping, tellFlapping } from "../../../rules/channel/flapping.ts";
import type { Backoff, OperatorNeed } from "../../../rules/decide/gate-facts.ts";
import type { Previous, RejectedPackage } from "../../plan/host-facts.ts";
import type { KeptPackage, PassRecord, StepInHand, StepTime } from "../../record/state.ts";
import { ofAnyRelease } from "../../../rules/shape/any-release.ts";
import { always, instant, line, list, recordOf, sometimes, told } from "../../../rules/shape/answer.ts";
import { count, truth } from "../../../rules/shape/shape.ts";
import { doubtIn } from "../../status/doubt.ts";
import type { AlongSeen } from "../../status/observed.ts";
import type { StatusView } from "../../status/view.ts";
import { decided } from "./answer.ts";
import { fault } from "./fault.ts";
import { anyOutcome, recovery, recoveryWhat, step } from "./outcome.ts";

const packageWhat = "the version of the package, as the package manager writes it";
type Packaged = { readonly packageVersion: string };
const packaged = always(packageWhat, line, ({ packageVersion }: Packaged) => packageVersion);

const contact = recordOf<StatusView>()({
  at: sometimes("when it answered last", instant, ({ memory }) => memory.lastContact?.at),
  served: sometimes("the version that it served then, or none", line, ({ memory }) => memory.lastContact?.served),
  critical: sometimes("whether that version counts as critical", truth, ({ memory }) => memory.lastContact?.isCritical),
  doubt: sometimes(
    "why that version does not count as critical yet, although it was called so, for people",
    line,
    ({ memory, seen }) => doubtIn(memory, seen.now),
  ),
  silent: sometimes("since when it does not answer; left out while it does", instant, ({ memory }) => memory.silentSince),
  channels: sometimes(
    "the digest of the channels, as the instance said that answered last",
    line,
    ({ memory }) => memory.channels[0]?.digest,
  ),
});

type Disagreement = { readonly at: number; readonly told: string; readonly lift: string };
const disagreement = {
  at: always("when the last one came back", instant, ({ at }: Disagreement) => at),
  told: always("what it means, for people", line, (one: Disagreement) => one.told),
  lift: always("what the servers' administrator can do", line, ({ lift }: Disagreement) => lift),
};
const oneOfTwo = told("one of the two", line);

const flapping = recordOf<Disagreement & { readonly digests: readonly string[] }>()({
  channels: always("their digests, that of the last answer first", list(oneOfTwo), "digests"),
  ...disagreement,
});

const alternating = recordOf<Disagreement & { readonly versions: readonly string[] }>()({
  versions: always(
    "the version that came back, and the other; twice the same where only decisions went back",
    list(oneOfTwo),
    "versions",
  ),
  ...disagreement,
  at: always("when it came back", instant, "at"),
});

const rejected = recordOf<RejectedPackage>("one of them")({
  version: always("the served version", line, "served"),
  package: packaged,
  at: always("when it was rejected", instant, "at"),
  why: always("why, for people", line, "why"),
});

const wait = recordOf<Backoff>()({
  version: always("the served version that was being moved to; another one ends the wait", line, "served"),
  until: always("its end", instant, "until"),
  failures: always("how many times in a row it failed", count, "failures"),
  fault: always("the last failure", ofAnyRelease(fault), "cause"),
});

const operator = recordOf<OperatorNeed>()({
  at: always("since when", instant, "at"),
  why: always("why, for people", line, "why"),
});

const previous = recordOf<Previous>()({
  version: always("the version", line, "version"),
  package: packaged,
  left: always("when it was left", instant, "leftAt"),
});

type Kept = KeptPackage & { readonly seen: AlongSeen | undefined };
const kept = recordOf<Kept>("one of them")({
  package: packaged,
  file: always("the name of its file", line, "file"),
  bytes: always("how large that is", count, "bytes"),
  along: sometimes(
    "the packages that move along and are kept with it",
    list(told("the name of one", line)),
    ({ seen }) => seen?.names,
  ),
  objection: sometimes("why it can no longer be rolled back to, for people", line, ({ seen }) => seen?.objection),
});

export const inHand = recordOf<StepInHand>()({
  step,
  version: always("the version that is moved to", line, "served"),
  at: always("when it began", instant, "startedAt"),
});

const stepTime = recordOf<StepTime>("one step")({ step, ms: always("how long it took, in milliseconds", count, "ms") });

const pass = recordOf<PassRecord>("one pass")({
  id: always("names it in the log", line, "id"),
  at: always("when it began", instant, "startedAt"),
  seconds: always("how long it took", count, "seconds"),
  installed: sometimes("the version that it found installed", line, "installed"),
  served: sometimes("the version that the channel served, or none", line, "served"),
  channel: sometimes("the channel that it asked; left out where it ended before the settings were read", line, "channel"),
  decision: sometimes("what it decided, and why; left out where a fault ended it before", decided, (of) =>
    of.decision.kind === "stop" ? undefined : of.decision,
  ),
  outcome: always("how it ended", anyOutcome, "outcome"),
  fault: sometimes("what ended it", fault, ({ outcome }) => ("fault" in outcome ? outcome.fault : undefined)),
  steps: always(
    "the steps of its move, or of what it recovered, in their order; empty where there was neither",
    list(stepTime),
    "steps",
  ),
  recovered: sometimes(recoveryWhat, recovery, "recovered"),
  unanswered: sometimes(
    "why the server gave no answer, where the decision did not need one: that of a repair",
    fault,
    "unanswered",
  ),
});

/** The keys about what earlier passes recorded. */
export const memoryKeys = {
  contact: always("with the version server; empty where there was none yet", contact, (view: StatusView) => view),
  flapping: sometimes(
    "answers alternate between two configurations of channels: instances of the version server disagree",
    flapping,
    ({ memory, seen }: StatusView) => {
      const found = flappingIn(memory.channels, seen.now);
      return found && { ...found, told: tellFlapping(found), lift: mendFlapping };
    },
  ),
  alternating: sometimes(
    "the channel went back within hours to a version that it had served before, or to an earlier decision",
    alternating,
    ({ memory, seen }: StatusView) => {
      const found = alternatingIn(memory.heard, seen.now);
      return found && { ...found, told: tellAlternating(found), lift: mendAlternating };
    },
  ),
  success: sometimes(
    "when the last pass began that ended without a fault",
    instant,
    ({ memory }: StatusView) => memory.lastSuccessAt,
  ),
  rejected: always(
    "versions that are not tried again until retry, another package of them is offered, or a newer one does well here",
    list(rejected),
    ({ memory }: StatusView) => memory.rejected,
  ),
  wait: sometimes("after a failure that was not the version's own", wait, ({ memory }: StatusView) => memory.backoff),
  operator: sometimes(
    "an administrator has to look before anything moves again",
    operator,
    ({ memory }: StatusView) => memory.needsOperator,
  ),
  previous: sometimes("where rollback goes", previous, ({ memory }: StatusView) => memory.previous),
  kept: always("the packages that are kept here for a rollback", list(kept), ({ memory, seen }: StatusView) =>
    memory.kept.map((one) => ({ ...one, seen: seen.along.find((other) => other.packageVersion === one.packageVersion) })),
  ),
  step: sometimes(
    "in hand where a pass is running, else where one did not finish",
    inHand,
    ({ memory }: StatusView) => memory.step,
  ),
  passes: always("the last ten, newest first", list(ofAnyRelease(pass)), ({ memory }: StatusView) => memory.passes),
};
