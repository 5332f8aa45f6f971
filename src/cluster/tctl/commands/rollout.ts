import type {
  ChannelWindowJson,
  RolloutJson,
  RolloutProxyJson,
  RolloutStageJson,
} from "../../api/generated/svc/v1/rollout_pb.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { Fault } from "../../../rules/fault/fault.ts";
import { quote } from "../../../rules/text/quote.ts";
import { tellShort, tellTime } from "../../../machine/clocks/tell-time.ts";
import { table } from "../../../rules/text/table.ts";
import type { TctlContext } from "../context.ts";
import { rolloutAnswer, rolloutsAnswer } from "../json/rollouts.ts";
import { say } from "../screen/say.ts";

const nothing = "no channel has a rollout: a file with `kind: rollout` makes one, `tctl create -f FILE`\n";

export async function listRollouts(context: TctlContext): Promise<number> {
  const { rollouts = [] } = await context.call("RolloutService/ListRollouts", {});
  return say(context, {
    shape: rolloutsAnswer,
    value: { rollouts },
    text: () =>
      rollouts.length === 0
        ? nothing
        : table(
            ["Channel", "Rollout", "Target", "State", "Where it stands"],
            rollouts.map(({ channel = "", name = "", target = "", state = "", told = "" }) => [
              channel,
              name === "" ? "-" : name,
              target,
              state,
              quote(told, longestTold),
            ]),
          ),
  });
}

export async function showRollout(context: TctlContext, { arguments: [channel = ""] }: Given): Promise<number> {
  const { rollouts: [rollout] = [] } = await context.call("RolloutService/ListRollouts", { channel });
  return say(context, {
    shape: rolloutAnswer,
    value: { rollout },
    text: () => (rollout === undefined ? nothing : screen(rollout)),
  });
}

export type Action = "pause" | "resume" | "skip" | "undo" | "release";

export async function steerRollout(context: TctlContext, action: Action, given: Given): Promise<number> {
  const [channel = "", stage = ""] = given.arguments;
  const why = given.text("why") ?? "";
  if (action === "undo" && !given.isSet("yes")) await refuseUnconfirmed(context, channel);
  const force = action === "release" && given.isSet("yes");
  const asked = { channel, action, stage, why, force, awaitSeconds };
  const { rollout, proxies = [] } = await context.call("RolloutService/SteerRollout", asked);
  return say(context, {
    shape: rolloutAnswer,
    value: { rollout, proxies },
    text: () =>
      rollout === undefined
        ? `${quote(channel)} is served by the proxies' own files again${serving(proxies)}\n${inForce(proxies)}`
        : `${inForce(proxies)}${screen(rollout)}`,
  });
}

/** A proxy that runs hears of a decision at once. */
const awaitSeconds = 5;

/** On how many proxies a decision is in force, and which have not confirmed it. */
function inForce(proxies: readonly RolloutProxyJson[]): string {
  const missing = proxies.filter(({ confirmed }) => confirmed !== true);
  const told = `in force on ${proxies.length - missing.length} of ${proxies.length} ${proxies.length === 1 ? "proxy" : "proxies"}\n`;
  if (missing.length === 0) return told;
  const rows = missing.map(({ id = "", hostname = "", asked = "" }) => [id, hostname, tellTime(asked)]);
  return `${told}not confirmed, so hosts that ask there are told what they were told before, for as long as auth's answers count (rollout_answer_life, 15m unless set):\n${table(["Server ID", "Hostname", "Last asked"], rows)}`;
}

function serving(proxies: readonly RolloutProxyJson[]): string {
  const found = [...new Set(proxies.map(({ serves = "" }) => (serves === "" ? "nothing" : serves)))];
  return found.length === 0 ? "" : `: ${found.join(", ")}`;
}

/** Says before anything is undone what becomes of the hosts. What auth would refuse, it refuses itself. */
async function refuseUnconfirmed(context: TctlContext, channel: string): Promise<void> {
  const { rollouts: [rollout] = [] } = await context.call("RolloutService/ListRollouts", { channel });
  if (rollout?.undo === undefined) return;
  throw new Fault("usage", {
    message: `nothing was undone yet: ${quote(rollout.undo.told ?? "", longestTold)}`,
    hint: `\`tctl rollout undo ${channel} --yes\` undoes it`,
  });
}

const longestTold = 300;

export function screen(rollout: RolloutJson): string {
  const {
    channel = "",
    name = "",
    target = "",
    from = "",
    state = "",
    told = "",
    critical = false,
    stages = [],
    failed = [],
    left = [],
    window,
    stalledSince,
  } = rollout;
  const title = name === "" ? channel : `${name}: ${channel}`;
  const about = `${title} ${from === "" ? "" : `from ${from} `}to ${target}${critical ? ", critical" : ""}\n${quote(told, longestTold)}\n${stalledTold(stalledSince)}${windowTold(window)}`;
  const rows = stages.map((stage) => [
    stage.name ?? "",
    isUnderWay(stage) && stoppedStates.has(state) ? state : (stage.state ?? ""),
    ...[stage.hosts, stage.proven, stage.moving, stage.waiting, stage.failed, stage.silent].map((hosts = 0) => String(hosts)),
    ...(window === undefined ? [] : [String(stage.inWindow ?? 0)]),
    blockedIn(stage),
  ]);
  const counts = ["Hosts", "Proven", "Moving", "Waiting", "Failed", "Silent", ...(window === undefined ? [] : ["In window"])];
  const head = ["Stage", "State", ...counts, "Blocked"];
  const bad = failed.map(({ stage = "", id = "", hostname = "", fault = "" }) => [stage, id, hostname, fault]);
  const gone = left.map(({ stage = "", id = "", hostname = "", at = "" }) => [stage, id, hostname, tellShort(at)]);
  return [
    about,
    ...(rows.length === 0 ? [] : ["\n", table(head, rows)]),
    ...(bad.length === 0 ? [] : ["\n", table(["Stage", "Server ID", "Hostname", "Fault"], bad)]),
    ...(gone.length === 0 ? [] : ["\n", table(["Left the stage", "Server ID", "Hostname", "Removed"], gone)]),
  ].join("");
}

/** A stopped rollout tells no further host, so no stage of it moves. */
const stoppedStates: ReadonlySet<string> = new Set(["paused", "halted", "undone"]);

function isUnderWay({ state }: RolloutStageJson): boolean {
  return state === "moving" || state === "soaking";
}

function stalledTold(since: string | undefined): string {
  return since === undefined ? "" : `nothing has come of it since ${tellTime(since)}: see which hosts it waits for\n`;
}

/** A channel's own window, and not the cluster's, which \`tctl get\` shows. */
function windowTold(window: ChannelWindowJson | undefined): string {
  if (window === undefined) return "";
  const { utcStartHour = 0, weekdays = [], opens } = window;
  const days = weekdays.length === 0 ? "every day" : weekdays.join(", ");
  const next = opens === undefined ? "it never opens" : `next ${tellTime(opens)}`;
  return `the channel's own window: ${days} at ${String(utcStartHour).padStart(2, "0")}:00 UTC, ${next}\n`;
}

function blockedIn({ blocked = {} }: RolloutStageJson): string {
  return Object.entries(blocked)
    .map(([why, hosts]) => `${hosts} ${quote(why, 40)}`)
    .join(", ");
}
