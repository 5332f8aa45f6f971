import type { Served } from "../../../rules/channel/answer.ts";
import { faultTable } from "../../../rules/fault/table.ts";
import { compare } from "../../../rules/decide/comparison.ts";
import type { Route } from "../../../rules/route/route.ts";
import { ofAnyRelease } from "../../../rules/shape/any-release.ts";
import { always, answer, kindsOf, line, list, orNull, recordOf, sometimes, told } from "../../../rules/shape/answer.ts";
import { exactly, truth, words, type JsonOf } from "../../../rules/shape/shape.ts";
import type { Next, UnknownNext } from "../../status/next.ts";
import type { OverallState } from "../../status/overall.ts";
import type { StatusView } from "../../status/view.ts";
import { decided, decisions, installedKey } from "./answer.ts";
import { fault } from "./fault.ts";
import { routeKeys } from "./route.ts";
import { hostKeys } from "./status-host.ts";
import { memoryKeys } from "./status-memory.ts";
import { whenKeys } from "./status-when.ts";

const standings: Readonly<Record<OverallState["kind"], string>> = {
  running: "a pass is running now",
  stopped: "something ends every pass before it can decide: fault says what",
  off: "the timer starts no pass",
  failing: "the last pass ended in a fault; only the next one can tell whether it is fixed",
  next: "none of these: next says what a pass would decide",
};

const unknowns: Readonly<Record<UnknownNext["why"], string>> = {
  "never-asked": "no pass has had an answer of the channel yet",
  "other-channel": "the last answer came from another channel than the configured one",
  "state-denied": "this user may not read what earlier passes left",
  "state-unreadable": "what earlier passes left cannot be read",
  "schedule-denied": "this user may not read the schedule",
};

export const nextWhat = "what a pass would decide now, by the last answer of the channel";
export const next = kindsOf<Next>()({
  ...decisions,
  stop: recordOf<Extract<Next, { kind: "stop" }>>("it would come to no decision")({
    kind: always("a fault ends it", exactly("stop"), "kind"),
    why: always("the code of the fault, for programs", words(faultTable), (stop) => stop.fault.code),
    told: always("the fault, for people; the words may change", line, (stop) => stop.fault.message),
    lift: always("what to type or to do next, for people", line, (stop) => stop.fault.hint),
  }),
  unknown: recordOf<UnknownNext>("it cannot be told")({
    kind: always("it cannot be told", exactly("unknown"), "kind"),
    why: always("the reason, for programs", words(unknowns), "why"),
    told: always("the reason in words, for people; the words may change", line, "told"),
    lift: sometimes("what to type to know it", line, "lift"),
  }),
});

/** The answer of `status --json`. Keys that a dry run has too have the same names. Lists are always present; other keys only with a value. */
export const statusAnswer = answer<StatusView>(
  "Why nothing happened, and when something can: what is known without asking anybody.",
)({
  installed: { ...installedKey, from: (view: StatusView) => view.seen.installed?.version },
  served: always(
    "the version that the channel served last; null where it served none, or was never asked",
    orNull(line),
    (view: StatusView) => {
      const served = servedIn(view);
      return served?.kind === "version" ? served.version : undefined;
    },
  ),
  channel: always(
    "the channel that the agent follows; null where the settings are wrong",
    orNull(line),
    ({ seen }: StatusView) => seen.settings?.settings.channel,
  ),
  available: always("whether the version that was served last is newer than the installed one", truth, (view: StatusView) => {
    const served = servedIn(view);
    return served !== undefined && view.seen.installed !== undefined && compare(view.seen.installed?.version, served).isAvailable;
  }),
  standing: always("the one thing to know first", words(standings), ({ standing }: StatusView) => standing.kind),
  decision: sometimes(
    "what the last pass decided; left out where it came to no decision, or none ran yet",
    ofAnyRelease(decided),
    ({ memory }: StatusView) => {
      const last = memory.passes[0]?.decision;
      return last?.kind === "stop" ? undefined : last;
    },
  ),
  next: always(nextWhat, next, (view: StatusView) => view.next),
  fault: sometimes("what ends every pass before it can decide", fault, ({ seen: { basis } }: StatusView) =>
    basis.kind === "fault" ? basis.fault : undefined,
  ),
  endpoint: sometimes(
    "where the version is asked for; left out where none is known",
    line,
    ({ seen }: StatusView) => seen.settings?.endpoint,
  ),
  route: sometimes("the way there", recordOf<Route>()(routeKeys), ({ seen }: StatusView) => seen.route),
  ...whenKeys,
  ...memoryKeys,
  ...hostKeys,
  unread: always(
    "what could not be seen, by this user or at all",
    list(told("a sentence, for people", line)),
    ({ seen }: StatusView) => seen.unread,
  ),
});
export type StatusJson = JsonOf<typeof statusAnswer>;

function servedIn({ memory: { lastContact } }: StatusView): Served | undefined {
  if (lastContact === undefined) return undefined;
  return lastContact.served === "none" ? { kind: "none" } : { kind: "version", version: lastContact.served };
}
