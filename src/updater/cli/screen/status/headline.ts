import { faultTable } from "../../../../rules/fault/table.ts";
import type { FaultData } from "../../../../rules/fault/fault.ts";
import type { Move, Stay, StayReason } from "../../../plan/host-decision.ts";
import { stayReasons } from "../../../plan/host-reasons.ts";
import type { UnknownNext } from "../../../status/next.ts";
import type { OverallState } from "../../../status/overall.ts";
import type { StatusView } from "../../../status/view.ts";
import { printInstant } from "../../../../rules/window/instant.ts";
import { tellStep } from "../../../sentences/step.ts";
import { tellMoment, tellMoments } from "../../times/moment.ts";
import { bad, row, type Reader, type Row, type Tone } from "./row.ts";
import { stayAbove } from "./already-told.ts";
import { asTyped } from "./with-root.ts";

/** The first line of the status: a few words and their details. */
export type Headline = { readonly lead: string; readonly tone: Tone; readonly details: readonly Row[] };

export function headlineOf(view: StatusView, reader: Reader): Headline {
  const { standing } = view;
  switch (standing.kind) {
    case "running":
      return { lead: "A pass is running", tone: "usual", details: runningRows(standing, view, reader) };
    case "stopped":
      return { lead: "No pass can do anything", tone: "bad", details: faultRows(standing.fault, reader) };
    case "off": {
      const { told, fix } = standing.trouble;
      const details = [...damageRows(view), row("why", told), row("to do", fix)];
      return { lead: "No pass comes by itself", tone: "bad", details };
    }
    case "failing":
      return failingHeadline(standing, view, reader);
    case "next":
      return nextHeadline(standing.next, view, reader);
  }
}

function nextHeadline(next: Stay | Move | UnknownNext, view: StatusView, reader: Reader): Headline {
  switch (next.kind) {
    case "stay":
      return stayHeadline(stayAbove(view) ?? next, view, reader);
    case "move": {
      const when = tickRows("when", view, reader);
      const why = row("why", tellMoments(next.told, reader));
      const run = row(when.length === 0 ? "to do" : "sooner", asTyped("svc-upgrade run --now", reader.root));
      return { lead: dueLeads[next.target.kind], tone: "usual", details: [...damageRows(view), ...when, why, run] };
    }
    case "unknown": {
      const lift =
        next.lift === undefined
          ? []
          : [row(next.why === "state-unreadable" ? "to do" : "to see", asTyped(next.lift, reader.root))];
      const details = [row("why", next.told), ...tickRows("next pass", view, reader), ...lift];
      return { lead: "Not known yet", tone: "usual", details };
    }
  }
}

const dueLeads: Readonly<Record<Move["target"]["kind"], string>> = {
  install: "An installation is due",
  upgrade: "An upgrade is due",
  downgrade: "A downgrade is due",
  repair: "A repair is due",
};

function stayHeadline(stay: Stay, view: StatusView, reader: Reader): Headline {
  if ((stay.why === "current" || stay.why === "pinned") && isIll(view)) {
    const why = stay.why === "current" ? [] : stayRows(stay, view, reader);
    return {
      lead: `${stayLeads[stay.why]}, and not well`,
      tone: "bad",
      details: [...damageRows(view), ...why, ...lookRows(view)],
    };
  }
  const tone = stay.why === "current" ? "good" : stayReasons[stay.why].concerns === "somebody" ? "caution" : "usual";
  const isDone = stay.why === "current" || stay.why === "no-version";
  return { lead: stayLeads[stay.why], tone, details: [...damageRows(view), ...(isDone ? [] : stayRows(stay, view, reader))] };
}

/** Whether the agent is unhealthy now, or was after the last pass had changed its package. */
function isIll({ seen: { basis }, memory: { passes } }: StatusView): boolean {
  const outcome = passes[0]?.outcome;
  return (
    (basis.kind !== "fault" && basis.facts.agent === "unhealthy") || (outcome?.kind === "failed" && outcome.back !== undefined)
  );
}

function lookRows({ seen: { settings } }: StatusView): readonly Row[] {
  return settings === undefined ? [] : [row("to see", `journalctl -u ${settings.settings.agent.unit}`)];
}

const stayLeads: Readonly<Record<StayReason, string>> = {
  current: "Up to date",
  pinned: "Pinned",
  "no-version": "Nothing to do",
  unconfirmed: "Not now",
  "needs-operator": "Needs a person",
  held: "On hold",
  "package-held": "On hold",
  rejected: "Not this version",
  "backing-off": "Not now",
  "downgrade-refused": "Not by itself",
  "major-refused": "Not by itself",
  alternating: "Not now",
  never: "Not by itself",
  clock: "Not now",
  blackout: "Not now",
  "window-too-short": "Not now",
  "outside-window": "Not now",
  "schedule-missing": "Not now",
  "schedule-empty": "Not now",
  "schedule-invalid": "Not now",
  "schedule-stale": "Not now",
};

function stayRows({ why, told, until, lift }: Stay, { memory: { backoff } }: StatusView, reader: Reader): readonly Row[] {
  const isUntilTold = until === undefined || told.includes(printInstant(until));
  return [
    row("why", tellMoments(told, reader)),
    // Shown because another try fails again unless somebody acts.
    ...(why === "backing-off" && backoff !== undefined ? [row("to do", asTyped(backoff.cause.hint, reader.root))] : []),
    ...(isUntilTold ? [] : [row("until", tellMoment(until, reader))]),
    ...(lift === undefined ? [] : [row(until === undefined ? "lifted by" : "sooner", asTyped(lift, reader.root))]),
  ];
}

function damageRows({ damage }: StatusView): readonly Row[] {
  return damage === undefined ? [] : [bad("broken", damage)];
}

type Failing = Extract<OverallState, { kind: "failing" }>;

function failingHeadline({ pass, fault, at }: Failing, view: StatusView, reader: Reader): Headline {
  const tone = faultTable[fault.code].heals === "by-itself" ? "caution" : "bad";
  const tick = tickRows("next try", view, reader);
  const details = [...damageRows(view), ...faultRows(fault, reader), ...tick];
  if (at === "elsewhere") {
    return { lead: "The last pass broke off", tone, details: [row("when", tellMoment(pass.startedAt, reader)), ...details] };
  }
  const since = tellMoment(view.memory.silentSince ?? pass.startedAt, reader);
  return { lead: "No answer from the version server", tone, details: [row("since", since), ...details] };
}

/** Prints what failed, its causes, and what to do. A message of several lines is printed as a list. */
function faultRows({ message, hint, causes }: FaultData, reader: Reader): readonly Row[] {
  const [cause] = causes;
  const caused = cause === undefined || message.includes(cause) ? [] : [row("cause", cause)];
  return [row("why", ...tellMoments(message, reader).split("\n")), ...caused, row("to do", asTyped(hint, reader.root))];
}

function tickRows(label: string, { seen: { units } }: StatusView, reader: Reader): readonly Row[] {
  const nextAt = units.kind === "units" ? units.timer?.nextAt : undefined;
  return nextAt === undefined ? [] : [row(label, tellMoment(nextAt, reader))];
}

type RunningStanding = Extract<OverallState, { kind: "running" }>;

function runningRows({ running }: RunningStanding, { memory: { step } }: StatusView, reader: Reader): readonly Row[] {
  const at = step === undefined ? [] : [row("doing", `${tellStep(step)}, since ${tellMoment(step.startedAt, reader)}`)];
  return [...at, running.by === "unit" ? row("follow it", "journalctl -fu svc-upgrade") : row("process", `${running.pid}`)];
}
