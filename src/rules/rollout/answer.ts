import { channelName } from "../channel/path.ts";
import { served, type Served } from "../channel/answer.ts";
import { count, listOf, optional, record, truth, words, word as text, type Of } from "../shape/shape.ts";
import { version } from "../version/version.ts";
import { namesTarget } from "./names-target.ts";
import type { Spec } from "./spec.ts";
import { standingOf, thresholdOf, type Standing, type Status } from "./status.ts";

const states: Readonly<Record<Standing["kind"], number>> = { moving: 0, paused: 0, halted: 0, undone: 0, done: 0 };

/** All that a proxy needs to answer for a channel. */
export const word = record({
  number: count,
  channel: channelName,
  target: version,
  from: served,
  state: words(states),
  /** Hosts that were told by their labels. */
  ids: listOf(text, 100_000),
  /** Hosts of a lower rank are told. */
  threshold: count,
  /** Hosts that are told move outside of their windows. An earlier proxy does not know it, and they wait for their windows. */
  critical: optional(truth),
  /** It may lack later decisions, so no host is to move by it. */
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

/** A host that asks. `named` is missing if it does not say who it is. */
export type Asking = {
  readonly installed: string | undefined;
  readonly named?: { readonly id: string; readonly rank: number };
};

/** What a proxy answers, by one word, to one host after the other. */
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
