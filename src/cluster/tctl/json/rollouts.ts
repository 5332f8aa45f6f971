import type {
  ChannelWindowJson,
  UndoEffectJson,
  FailedHostJson,
  LeftHostJson,
  RolloutJson,
  RolloutProxyJson,
  RolloutStageJson,
} from "../../api/generated/svc/v1/rollout_pb.ts";
import { always, answer, line, list, orNull, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { count, truth } from "../../../rules/shape/shape.ts";

const reason = recordOf<{ readonly why: string; readonly hosts: number }>("a reason why hosts cannot move")({
  why: always("such as held, pinned or silent", line, ({ why }) => why),
  hosts: always("how many", count, ({ hosts }) => hosts),
});

const stage = recordOf<RolloutStageJson>("a stage")({
  name: always("its name", line, ({ name }) => name ?? ""),
  state: always("waiting, moving, soaking or done", line, ({ state }) => state ?? ""),
  told: always("where it stands, in one sentence", line, ({ told }) => told ?? ""),
  hosts: always("how many it is judged by", count, ({ hosts }) => hosts ?? 0),
  proven: always("are well at the target", count, ({ proven }) => proven ?? 0),
  moving: always("are on the way to it", count, ({ moving }) => moving ?? 0),
  failed: always("failed with it", count, ({ failed }) => failed ?? 0),
  silent: always("fell silent in the middle of the move", count, ({ silent }) => silent ?? 0),
  waiting: always("can move and have not begun", count, ({ waiting }) => waiting ?? 0),
  in_window: always(
    "heed the window of the cluster or the channel, not one of their own",
    count,
    ({ inWindow }) => inWindow ?? 0,
  ),
  blocked: always("cannot move, by reason", list(reason), ({ blocked = {} }) =>
    Object.entries(blocked).map(([why, hosts]) => ({ why, hosts })),
  ),
});

const failed = recordOf<FailedHostJson>("a host that failed")({
  stage: always("the stage that it is in", line, ({ stage: of }) => of ?? ""),
  id: always("its Server ID", line, ({ id }) => id ?? ""),
  hostname: always("its name", line, ({ hostname }) => hostname ?? ""),
  fault: always("the code of its fault, or silent", line, ({ fault }) => fault ?? ""),
});

const left = recordOf<LeftHostJson>("a host that was removed")({
  stage: always("the stage that it left", line, ({ stage: of }) => of ?? ""),
  id: always("its Server ID", line, ({ id }) => id ?? ""),
  hostname: always("its name", line, ({ hostname }) => hostname ?? ""),
  at: always("when", line, ({ at }) => at ?? ""),
});

const undo = recordOf<UndoEffectJson>("what an undo would do")({
  back: always("hosts that go back", count, ({ back }) => back ?? 0),
  stay: always("hosts that stay: their settings refuse a downgrade, or hold them", count, ({ stay }) => stay ?? 0),
  unsaid: always("hosts that do not say whether they allow a downgrade", count, ({ unsaid }) => unsaid ?? 0),
  told: always("the same in one sentence", line, ({ told }) => told ?? ""),
});

const window = recordOf<ChannelWindowJson>("a channel's own window")({
  utc_start_hour: always("the hour of UTC in which it opens", count, ({ utcStartHour }) => utcStartHour ?? 0),
  weekdays: always("on these days, such as Tue; none: every day", list(line), ({ weekdays }) => weekdays ?? []),
  opens: sometimes("when it opens next", line, "opens"),
});

const rollout = recordOf<RolloutJson>("a rollout")({
  name: always("its name; empty where it was removed and its channel was not released", line, ({ name }) => name ?? ""),
  channel: always("the channel whose hosts it tells", line, ({ channel }) => channel ?? ""),
  target: always("the version that it brings", line, ({ target }) => target ?? ""),
  from: always("what hosts are told that are not told the target; null before it began", orNull(line), ({ from = "" }) =>
    from === "" ? undefined : from,
  ),
  critical: always("whether hosts that are told it move outside of their windows", truth, ({ critical }) => critical ?? false),
  state: always("waiting, moving, paused, halted, undone, done or removed", line, ({ state }) => state ?? ""),
  told: always("where it stands, in one sentence", line, ({ told }) => told ?? ""),
  began: sometimes("when it began", line, "began"),
  undo: always(
    "what an undo would do to the hosts at the target; null before it began, or once it was undone",
    orNull(undo),
    ({ undo: effect }) => effect,
  ),
  window: always("the channel's own window; null where it has the cluster's", orNull(window), ({ window: own }) => own),
  stages: always("its stages, in order", list(stage), ({ stages }) => stages ?? []),
  stalled_since: sometimes(
    "since when nothing has come of the stage whose turn it is; an alert, which halts nothing",
    line,
    "stalledSince",
  ),
  left: always(
    "hosts that were removed by name and left their stages, the newest 20",
    list(left),
    ({ left: gone }) => gone ?? [],
  ),
  failed: always("hosts that failed, at most 20 of a stage", list(failed), ({ failed: hosts }) => hosts ?? []),
});

export const rolloutsAnswer = answer<{ readonly rollouts: readonly RolloutJson[] }>("The rollouts of the cluster.")({
  rollouts: always("one for each channel", list(rollout), ({ rollouts }) => rollouts),
});

const proxy = recordOf<RolloutProxyJson>("a proxy")({
  id: always("its Server ID", line, ({ id }) => id ?? ""),
  hostname: always("its name", line, ({ hostname }) => hostname ?? ""),
  confirmed: always("whether it answers by this decision", truth, ({ confirmed }) => confirmed ?? false),
  serves: always("what its own file serves on the channel; null if nothing", orNull(line), ({ serves = "" }) =>
    serves === "" ? undefined : serves,
  ),
  asked: sometimes("when it last asked", line, "asked"),
});

type Steered = { readonly rollout: RolloutJson | undefined; readonly proxies?: readonly RolloutProxyJson[] };

export const rolloutAnswer = answer<Steered>("A rollout.")({
  rollout: always("null after its channel was released", orNull(rollout), ({ rollout: found }) => found),
  proxies: sometimes("after a decision: those that ask what hosts are told", list(proxy), ({ proxies }) => proxies),
});
