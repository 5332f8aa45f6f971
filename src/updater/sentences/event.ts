import type { EventKind, NotifyEvent } from "../record/event.ts";
import type { News } from "../record/news.ts";
import { faultOfFailure } from "../record/outcome-fault.ts";
import type { PassRecord, State } from "../record/state.ts";
import { printInstant } from "../../rules/window/instant.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { daySeconds } from "../../rules/window/seconds.ts";
import { moved } from "./decision.ts";

/** What an event needs besides its subject. */
export type EventScene = {
  readonly host: string;
  readonly package: string;
  readonly channel: string;
  readonly state: State;
  readonly now: UnixSeconds;
  /** The same subject gets the same id on this host, and another id on every other host. */
  readonly idOf: (subject: string) => string;
};

type Telling = Pick<NotifyEvent, "kind" | "told"> & {
  readonly subject: string;
  readonly at?: UnixSeconds | undefined;
} & Partial<Pick<NotifyEvent, "next" | "move" | "fault">>;

export function eventOf(news: News, scene: EventScene): NotifyEvent {
  const { subject, at = scene.now, next, move, fault, ...told } = tell(news, scene);
  const { host, package: name, channel, idOf } = scene;
  return { id: idOf(subject), at, host, ...told, next, package: name, channel, move, fault };
}

/** Lets somebody see that notifications arrive. */
export function testEvent({
  id,
  host,
  package: name,
  channel,
  now,
}: Pick<EventScene, "host" | "package" | "channel" | "now"> & Pick<NotifyEvent, "id">): NotifyEvent {
  const told = `this is a test: moves of ${name} on ${host} are told like this`;
  const nothing = { next: undefined, move: undefined, fault: undefined };
  return { id, at: now, host, kind: "test", told, package: name, channel, ...nothing };
}

function tell(news: News, scene: EventScene): Telling {
  switch (news.kind) {
    case "outcome":
      return tellOutcome(news.pass, scene);
    case "recovered":
      return tellRecovered(news.pass, scene);
    case "needs-operator": {
      const { key, why } = news.need;
      return {
        kind: "needs-operator",
        // The subject changes from day to day, because the same need may come again.
        subject: `needs-operator ${key} ${Math.floor(scene.now / daySeconds)}`,
        told: `${scene.package} does not move any more before somebody has looked: ${why}`,
        next: "svc-upgrade status; once it is in order: svc-upgrade retry",
      };
    }
    case "contact-lost":
      return {
        kind: "contact-lost",
        subject: `contact-lost ${news.since}`,
        told: `the version server has not been reached since ${printInstant(news.since)}`,
        ...lastFault(scene.state),
      };
    case "contact-regained":
      return {
        kind: "contact-regained",
        subject: `contact-regained ${news.since}`,
        told: `the version server answers again; it had not been reached since ${printInstant(news.since)}`,
      };
  }
}

/** The fault of the pass that found the need. */
function lastFault({ passes: [last] }: State): Partial<Pick<NotifyEvent, "next" | "fault">> {
  const found = last?.unanswered ?? (last?.outcome.kind === "stopped" ? last.outcome.fault : undefined);
  return found === undefined ? {} : { next: found.hint, fault: found };
}

function tellOutcome(pass: PassRecord, { package: name }: EventScene): Telling {
  const { id, startedAt, seconds, outcome } = pass;
  const base = { subject: `outcome ${id}`, at: startedAt + seconds };
  const movement = pass.decision.kind === "move" ? pass.decision.target.kind : "upgrade";
  const why = pass.decision.kind === "move" ? pass.decision.why : undefined;
  const wanted = pass.decision.kind === "move" ? pass.decision.target.to : (pass.served ?? "");
  switch (outcome.kind) {
    case "moved": {
      const { from, to } = outcome;
      const way = from === undefined || from === to ? to : `from ${from} to ${to}`;
      const told = `${moved(movement)} ${name} ${way} in ${tellSeconds(outcome.seconds)}`;
      return { kind: "moved", ...base, told, move: { kind: movement, why, from, to, seconds: outcome.seconds } };
    }
    case "undone": {
      const { left, to, step, fault } = outcome;
      const told = `the ${movement} of ${name} to ${left} failed at the step ${step}, and ${to} runs again: ${fault.message}`;
      const move = { kind: movement, why, from: to, to: left, seconds: outcome.seconds };
      return { kind: "undone", ...base, told, next: fault.hint, fault, move };
    }
    case "failed": {
      const fault = faultOfFailure(outcome);
      const { back } = outcome;
      const end =
        back === undefined
          ? "nothing was changed"
          : back.kind === "failed"
            ? "the rollback failed"
            : `not rolled back: ${back.why}`;
      const told = `the ${movement} of ${name} to ${wanted} failed at the step ${outcome.step} (${end}): ${outcome.fault.message}`;
      const move = { kind: movement, why, from: pass.installed, to: wanted, seconds };
      return { kind: "failed", ...base, told, next: fault.hint, fault, move };
    }
    case "stayed":
    case "stopped":
      throw new Error("what stayed or was stopped is no news");
  }
}

function tellRecovered(pass: PassRecord, { package: name }: EventScene): Telling {
  const { id, startedAt, recovered } = pass;
  if (recovered === undefined || recovered.ended === "unchanged") throw new Error("an unchanged host is no news");
  const { served: to, ended } = recovered;
  const { kind, end, next } = recoveries[ended];
  const told = `a move of ${name} to ${to} that did not finish ${end}`;
  // The state does not say more about the pass that began the move.
  return { kind, subject: `recovered ${id}`, at: startedAt, told, next };
}

type Recovery = { readonly kind: EventKind; readonly end: string; readonly next?: string };

const recoveries: Readonly<Record<"finished" | "undone" | "not-mended", Recovery>> = {
  finished: { kind: "moved", end: "was carried to its end" },
  undone: { kind: "undone", end: "was rolled back" },
  "not-mended": {
    kind: "failed",
    end: "is neither done nor undone; a later pass repairs the package",
    next: "svc-upgrade status",
  },
};

function tellSeconds(seconds: number): string {
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
