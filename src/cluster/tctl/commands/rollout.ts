import type { RolloutJson, RolloutStageJson } from "../../api/generated/svc/v1/rollout_pb.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import { quote } from "../../../rules/text/quote.ts";
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
              name,
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
  const { rollout } = await context.call("RolloutService/SteerRollout", { channel, action, stage, why });
  return say(context, {
    shape: rolloutAnswer,
    value: { rollout },
    text: () =>
      rollout === undefined ? `${quote(channel)} is served by the proxies' own configuration again\n` : screen(rollout),
  });
}

const longestTold = 300;

function screen({ channel = "", name = "", target = "", from = "", told = "", stages = [], failed = [] }: RolloutJson): string {
  const about = `${name}: ${channel} ${from === "" ? "" : `from ${from} `}to ${target}\n${quote(told, longestTold)}\n`;
  const rows = stages.map((stage) => [
    stage.name ?? "",
    stage.state ?? "",
    ...[stage.hosts, stage.proven, stage.moving, stage.waiting, stage.failed, stage.silent].map((hosts = 0) => String(hosts)),
    blockedIn(stage),
  ]);
  const head = ["Stage", "State", "Hosts", "Proven", "Moving", "Waiting", "Failed", "Silent", "Blocked"];
  const bad = failed.map(({ stage = "", id = "", hostname = "", fault = "" }) => [stage, id, hostname, fault]);
  return [
    about,
    ...(rows.length === 0 ? [] : ["\n", table(head, rows)]),
    ...(bad.length === 0 ? [] : ["\n", table(["Stage", "Server ID", "Hostname", "Fault"], bad)]),
  ].join("");
}

function blockedIn({ blocked = {} }: RolloutStageJson): string {
  return Object.entries(blocked)
    .map(([why, hosts]) => `${hosts} ${quote(why, 40)}`)
    .join(", ");
}
