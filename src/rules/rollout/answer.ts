import { channelName } from "../channel/path.ts";
import { served, type Served } from "../channel/answer.ts";
import { count, listOf, optional, record, truth, words, word as text, type Of } from "../shape/shape.ts";
import { version } from "../version/version.ts";
import { namesTarget } from "./names-target.ts";
import type { Spec } from "./spec.ts";
import { standingOf, thresholdOf, type Standing, type Status } from "./status.ts";

const states: Readonly<Record<Standing["kind"], number>> = { moving: 0, paused: 0, halted: 0, undone: 0, done: 0 };

/** A "word": auth's decision about one channel, which has everything that a proxy needs to answer for the channel. */
export const word = record({
  number: count,
  channel: channelName,
  target: version,
  from: served,
  state: words(states),
  /** Hosts of stages that select by labels, and whose turn has come: they are told the target. */
  ids: listOf(text, 100_000),
  /** Hosts whose rank is lower are told the target. */
  threshold: count,
  /** Hosts move outside of their windows. A proxy of an earlier release ignores this, and its hosts wait for their windows. */
  critical: optional(truth),
  /** Auth was restored and may have lost later decisions, so no host may move by this word. */
  unsettled: optional(truth),
});
export type Word = Of<typeof word>;

export function wordOf({ channel }: Pick<Spec, "channel">, status: Status): Word {
  const { number, target, from, byId, isCritical } = status;
  const told = byId.flatMap(({ hosts }) => hosts.map(({ id }) => id)).toSorted();
  return {
    number,
    channel,
    target,
    from,
    state: standingOf(status).kind,
    ids: told,
    threshold: thresholdOf(status),
    ...(isCritical === true ? { critical: true } : {}),
  };
}

/** A host that asks a proxy. `named` is missing if the host does not say who it is. */
export type Asking = {
  readonly installed: string | undefined;
  readonly named?: { readonly id: string; readonly rank: number };
};

/** Returns a function that answers hosts by one word. */
export function answersBy({ target, from, state, ids, threshold }: Word): (asking: Asking) => Served {
  const told = new Set(ids);
  const isTarget = namesTarget(target);
  const newer: Served = { kind: "version", version: target };
  return ({ installed, named }) => {
    switch (state) {
      case "undone":
        return from;
      case "done":
        return newer;
      case "moving":
        if (named !== undefined && (named.rank < threshold || told.has(named.id))) return newer;
        break;
      case "paused":
      case "halted":
        break;
    }
    return installed !== undefined && isTarget(installed) ? newer : from;
  };
}
