import { rejectedIn, versionTyped } from "../../rules/decide/version-to-retry.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { compareVersions, type Version } from "../../rules/version/version.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import { absent } from "./decide-object.ts";
import { asksLeft, heed, printAsk } from "./people-ask.ts";
import type { ObjectPolicy } from "./object-facts.ts";
import { howToRemoveRecord } from "./object-lift.ts";
import type { OwnPods } from "./pods.ts";
import { memoryIn, type KeptReading } from "./record.ts";
import { annotationOf, type Ask, type SeenObject } from "./seen.ts";
import type { Standing } from "./move-memory.ts";
import { hasWon } from "./tool-reset.ts";

/** A person's request. */
export type Wanted = {
  readonly ask: Ask;
  /** The version to retry, as it was typed. */
  readonly version?: string | undefined;
};

export type AskSight = {
  readonly now: UnixSeconds;
  readonly object: SeenObject | undefined;
  /** Undefined if this updater only reports. */
  readonly own: OwnPods | undefined;
  readonly reading: KeptReading;
  readonly policy: ObjectPolicy;
};

export type Prepared = {
  readonly object: SeenObject;
  readonly at: UnixSeconds;
  /** The annotation's value. */
  readonly value: string;
  /** What no longer delays the object, in words. */
  readonly cleared: readonly string[];
};

const program = "svc-kube-updater";

/** The annotation for a person's request. Throws a fault if the updater would not act on it. */
export function prepareAsk({ ask, version: typed }: Wanted, { now, object, own, reading, policy }: AskSight): Prepared {
  const named = typed === undefined ? undefined : versionTyped(typed, program);
  if (object === undefined) {
    const { told, hint } = absent(policy);
    throw new Fault("object-absent", { message: told, hint });
  }
  if (own === undefined) {
    throw new Fault("report-only", {
      message: `\`mode: report\` is set: the updater changes nothing, and ${annotationOf[ask]} would do nothing`,
      hint: "change the image where it is set; or set `mode: auto`",
    });
  }
  if (reading.kind === "unreadable") {
    throw new Fault("record-unreadable", {
      message: `the record of earlier looks cannot be read: ${reading.why}`,
      hint: howToRemoveRecord(policy.object),
    });
  }
  const { standing } = memoryIn(reading, object.uid);
  const version = named && rejectedIn(servedIn(standing), named, program);
  const pending = asksLeft(standing.heeded, object, now).find((left) => left.ask === ask);
  // Two requests within one second must differ.
  const at = Math.max(now, (standing.heeded[ask] ?? 0) + 1, (pending?.at ?? 0) + 1);
  const value = printAsk(at, version);
  const asked = { ...object, asks: { ...object.asks, [ask]: value } };
  const after = heed(standing, { now, object: asked, own, container: policy.object.container }).standing;
  if (ask === "rollback" && after.move?.step !== "going-back" && after.move?.step !== "returning") throw noWayBack(standing);
  const stays = heldBack(after);
  return { object, at, value, cleared: ask === "retry" ? heldBack(standing).filter((held) => !stays.includes(held)) : [] };
}

function servedIn({ rejected }: Standing): readonly Version[] {
  return rejected.map(({ served }) => served).toSorted(compareVersions);
}

function noWayBack({ last }: Standing): Fault {
  const why =
    last?.outcome === "proven"
      ? `the image is not the one that the last move has set (${last.image})`
      : "nothing was moved here yet, or nothing since the last rollback";
  return new Fault("no-way-back", {
    message: `there is no version to roll back to: ${why}`,
    hint: `see what the updater did: \`${program} status\``,
  });
}

/** What delays the object, in words. */
function heldBack(standing: Standing): readonly string[] {
  const { needsOperator, rejected, backoff, resets } = standing;
  return [
    ...(needsOperator === undefined ? [] : [needsOperator.why]),
    ...rejected.map(({ served, why }) => `${served} was rejected: ${why}`),
    ...(backoff === undefined ? [] : [`waiting after: ${backoff.cause.message}`]),
    ...resets.flatMap(({ served }) => (hasWon(standing, served) ? [`${served} was left to a tool`] : [])),
  ];
}
