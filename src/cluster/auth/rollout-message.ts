import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ChannelWindowSchema, RolloutSchema } from "../api/generated/svc/v1/rollout_pb.ts";
import type { ChannelName } from "../../rules/channel/path.ts";
import { printServed } from "../../rules/channel/headers.ts";
import type { Ended } from "../../rules/rollout/ended.ts";
import { stalledSince } from "../../rules/rollout/stalled.ts";
import { standingOf, type Status } from "../../rules/rollout/status.ts";
import { tallyStages } from "../../rules/rollout/tally.ts";
import { stageRows, tellBound, tellRollout, tellUndoing } from "../../rules/rollout/tell.ts";
import { undoingOf } from "../../rules/rollout/undoing.ts";
import { weekdayName } from "../../rules/window/weekly.ts";
import type { AuthContext } from "./context.ts";
import type { KnownEvidence } from "./rollout-evidence.ts";
import { everyProxy, servedByMost, type KnownProxy } from "./rollout-proxies.ts";
import { findStanding, isSettled, type Written } from "./rollout-row.ts";
import { timestamp } from "./timestamp.ts";
import { channelWindow } from "./windows-in-force.ts";

type Message = MessageInitShape<typeof RolloutSchema>;

export async function rolloutMessage(
  { store, now, cluster }: Pick<AuthContext, "store" | "now" | "cluster">,
  { name, revision, spec }: Written,
  evidence: ReadonlyMap<string, KnownEvidence>,
): Promise<Message> {
  const found = await findStanding(store, spec.channel);
  const own = evidence.get(spec.channel);
  const about = { name, channel: spec.channel, target: `v${spec.target}`, ...(await windowIn(spec.channel, { store, now })) };
  if (found === undefined || own === undefined) {
    return { ...about, state: "waiting", told: tellWaiting(spec.channel, await everyProxy(store, now())) };
  }
  const { follows, status } = found.row;
  if (follows !== revision) return { ...about, state: "waiting", told: justWritten };
  const tallies = tallyStages(spec, status, own);
  const stalled = stalledSince(status, tallies, own);
  return {
    ...about,
    from: printServed(status.from),
    critical: status.isCritical === true,
    state: standingOf(status).kind,
    told: isSettled(found.row, cluster) ? tellRollout(spec, status, tallies) : tellRestored(spec.channel, status),
    began: timestamp(status.began),
    stages: stageRows(spec, tallies).map(({ blocked, ...row }) => ({
      ...row,
      blocked: Object.fromEntries(blocked.map(({ why, hosts }) => [why, hosts])),
    })),
    failed: tallies.flatMap(({ status: { name: stage }, bad }) =>
      bad.map(({ host, kind }) => {
        const { instance: id, hostname, updater } = host as KnownEvidence["hosts"][number];
        return { stage, id, hostname, fault: kind === "silent" ? kind : faultOf(updater?.ended) };
      }),
    ),
    ...(status.undone === undefined && undoIn(status, own)),
    ...(stalled !== undefined && { stalledSince: timestamp(stalled) }),
    left: status.left.map(({ stage, instance: id, hostname, at }) => ({ stage, id, hostname, at: timestamp(at) })),
  };
}

const justWritten = "was written a moment ago; until auth has looked, hosts are told what they were told before";
const mostShown = 10;

/** Names the channels that proxies serve, because a rollout for a misspelt channel waits for ever. */
function tellWaiting(channel: ChannelName, proxies: readonly KnownProxy[]): string {
  if (servedByMost(proxies, channel) !== undefined) return justWritten;
  const known = new Set(proxies.filter(({ isAsking }) => isAsking).flatMap(({ row }) => row.served.map((one) => one.channel)));
  const told = [...known].toSorted().slice(0, mostShown).join(", ");
  return `waits for a proxy that serves the channel ${channel}${told === "" ? "" : `: now they serve ${told}`}`;
}

/** Explains why a restored rollout waits: decisions after the backup are lost, so hosts may have a newer version. */
function tellRestored(channel: string, { target }: Status): string {
  return `came back with a backup: hosts stay as they are until \`tctl rollout resume ${channel}\` goes on with v${target}, or another target is written`;
}

/** Why a host failed. If its move ended well, the agent became unhealthy after it. */
function faultOf(ended: Ended | undefined): string {
  return ended?.fault ?? (ended?.kind === "undone" ? "" : "unhealthy");
}

function undoIn(status: Status, { hosts }: KnownEvidence): Pick<Message, "undo"> {
  const undoing = undoingOf(status, hosts);
  return { undo: { ...undoing, told: tellUndoing(status, undoing) } };
}

async function windowIn(channel: string, { store, now }: Pick<AuthContext, "store" | "now">): Promise<Pick<Message, "window">> {
  const own = await channelWindow(store, { channel, now: now() });
  if (own === undefined) return {};
  const { utcStartHour, weekdays, opens } = own;
  const window: MessageInitShape<typeof ChannelWindowSchema> = { utcStartHour, weekdays: weekdays.map(weekdayName) };
  return { window: opens === undefined ? window : { ...window, opens: timestamp(opens) } };
}

/** Shows a channel whose rollout was removed. Its hosts are told what they were told before. */
export function boundMessage(channel: string, status: Status): Message {
  return {
    channel,
    target: `v${status.target}`,
    from: printServed(status.from),
    state: "removed",
    told: tellBound(channel, status),
    began: timestamp(status.began),
  };
}
