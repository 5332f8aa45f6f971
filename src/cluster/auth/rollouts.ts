import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RolloutSchema, RolloutService } from "../api/generated/svc/v1/rollout_pb.ts";
import { printServed } from "../../rules/channel/headers.ts";
import type { Served } from "../../rules/channel/answer.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { advance } from "../../rules/rollout/advance.ts";
import { servedAfter, standingOf, type Person, type Status } from "../../rules/rollout/status.ts";
import { begin, pause, resume, skip, undo } from "../../rules/rollout/steer.ts";
import { quote } from "../../rules/text/quote.ts";
import { actorOf, type Caller } from "./caller.ts";
import { overtaken, retrying, type Told } from "./changes.ts";
import type { AuthContext } from "./context.ts";
import type { HandlersOf } from "./handlers.ts";
import { evidenceFor, type KnownEvidence } from "./rollout-evidence.ts";
import { boundMessage, rolloutMessage } from "./rollout-message.ts";
import { figuresOf, type RolloutFigures } from "./rollout-figures.ts";
import { commitDecision } from "./rollout-decision.ts";
import { awaitProxies, everyProxy, servedByMost, servesOn } from "./rollout-proxies.ts";
import { everyRollout, everyStanding, findStanding, isSettled, type StandingRow, type Written } from "./rollout-row.ts";
import { makeWords } from "./rollout-words.ts";
import { readFields } from "./row-forms.ts";
import { underWayOf, type UnderWay } from "./rollout-under-way.ts";
import { judgingBy } from "./silence.ts";
import { byDefault, oneOf, record, truth, type Of } from "../../rules/shape/shape.ts";
import { plainText } from "../resource/name.ts";
import { line } from "../../rules/settings/read-text.ts";

export type Rollouts = {
  readonly handlers: HandlersOf<typeof RolloutService>;
  readonly look: (context: AuthContext) => Promise<void>;
  /** The rollouts as auth last counted them. */
  readonly figures: () => readonly RolloutFigures[];
  /** Answers the proxies that wait for a decision. */
  readonly stop: () => void;
};

/** Auth looks again only after ten times the duration of the last look, so that a large fleet takes at most a tenth of its time. */
const restShare = 10;

export function makeRollouts(): Rollouts {
  const words = makeWords();
  let restUntil = 0;
  let figures: readonly RolloutFigures[] = [];
  return {
    figures: () => figures,
    stop: words.stop,
    look: async (context) => {
      const began = performance.now();
      if (began < restUntil) return;
      figures = await lookAtAll(context);
      words.wake();
      restUntil = began + restShare * (performance.now() - began);
    },
    handlers: {
      getWords: words.getWords,
      listRollouts: async (context, _caller, { channel }) => {
        const isAsked = (of: string): boolean => channel === "" || of === channel;
        const written = (await everyRollout(context)).filter(({ spec }) => isAsked(spec.channel));
        const bound = [...(await everyStanding(context.store))].filter(
          ([of]) => isAsked(of) && written.every(({ spec }) => spec.channel !== of),
        );
        if (channel !== "" && written.length + bound.length === 0) throw missing(channel);
        const evidence = await evidenceOf(context, written);
        const rollouts: MessageInitShape<typeof RolloutSchema>[] = [];
        for (const one of written) rollouts.push(await rolloutMessage(context, one, evidence));
        return { rollouts: [...rollouts, ...bound.map(([of, { status }]) => boundMessage(of, status))] };
      },
      steerRollout: async (context, caller, request) => {
        const wanted = readFields(asked, request, "what the rollout is to do");
        await retrying(() => tryToSteer(context, caller, wanted), { message: "it moved on while it was being steered" });
        words.wake();
        const proxies = [...(await awaitProxies(context, { channel: wanted.channel, seconds: request.awaitSeconds }))];
        const written = (await everyRollout(context)).filter(({ spec }) => spec.channel === wanted.channel);
        const [one] = written;
        if (one === undefined) return { proxies };
        return { proxies, rollout: await rolloutMessage(context, one, await evidenceOf(context, written)) };
      },
    },
  };
}

const asked = record({
  channel: line,
  action: oneOf(["pause", "resume", "skip", "undo", "release"]),
  stage: byDefault(plainText, ""),
  why: byDefault(plainText, ""),
  force: byDefault(truth, false),
});
type Asked = Of<typeof asked>;

async function evidenceOf(context: AuthContext, written: readonly Written[]): Promise<ReadonlyMap<string, KnownEvidence>> {
  return written.length === 0
    ? new Map()
    : evidenceFor(
        context,
        written.map(({ spec }) => spec),
        await judgingBy(context),
      );
}

/** Begins new rollouts, and advances the others as far as their hosts' reports allow. */
async function lookAtAll(context: AuthContext): Promise<readonly RolloutFigures[]> {
  const [written, standings] = [await everyRollout(context), await everyStanding(context.store)];
  const open = written.filter(({ revision, spec: { channel } }) => {
    const row = standings.get(channel);
    return row?.follows !== revision || (isOpen(row.status) && isSettled(row, context.cluster));
  });
  const evidence = await evidenceOf(context, open);
  const figures = written
    .filter((one) => !open.includes(one))
    .map((one) => figuresOf(one, standings.get(one.spec.channel)?.status, undefined));
  const underWay = new Map<string, UnderWay>();
  for (const one of open) {
    const own = evidence.get(one.spec.channel);
    if (own === undefined) continue;
    const status = await lookAtOne(context, one, own);
    figures.push(figuresOf(one, status, own));
    if (status !== undefined && isOpen(status)) underWay.set(one.spec.channel, underWayOf(one.name, one.spec, status));
  }
  context.underWay.clear();
  for (const [channel, one] of underWay) context.underWay.set(channel, one);
  for (const [channel, row] of standings) {
    const isRemoved = written.every(({ spec }) => spec.channel !== channel);
    if (isRemoved && isOpen(row.status) && isSettled(row, context.cluster)) await undoRemoved(context, channel);
  }
  return figures;
}

function isOpen(status: Status): boolean {
  return status.undone === undefined && standingOf(status).kind !== "done";
}

/** Advances one rollout and returns its status. Undefined if it cannot begin yet. */
async function lookAtOne(
  context: AuthContext,
  { name, revision, spec }: Written,
  evidence: KnownEvidence,
): Promise<Status | undefined> {
  const { channel } = spec;
  const found = await findStanding(context.store, channel);
  const before = found?.row.status;
  const isNew = found?.row.follows !== revision;
  // A rollout begins only if a proxy serves the channel: that version is told to hosts that are not told the target.
  const from = before === undefined ? servedByMost(await everyProxy(context.store, context.now()), channel) : undefined;
  if (before === undefined && from === undefined) return undefined;
  const begun = isNew || before === undefined ? begin(spec, { evidence, from: from ?? { kind: "none" }, before }) : before;
  const after = advance(spec, begun, evidence);
  if (!isNew && after === before) return after;
  const audit = changesTold(name, isNew ? undefined : before, after);
  // If the commit is overtaken, another auth service has advanced the rollout, and the next look continues from there.
  await commitDecision("auth", { channel, found, row: { follows: revision, status: after, epoch: undefined }, audit }, context);
  return after;
}

/** Undoes a rollout whose resource was removed. A version that every host was told stays. */
async function undoRemoved(context: AuthContext, channel: string): Promise<void> {
  const found = await findStanding(context.store, channel);
  if (found === undefined) return;
  const by: Person = { who: "auth", at: context.now(), why: "the rollout was removed" };
  const row = { ...found.row, status: undo(found.row.status, by) };
  await commitDecision("auth", { channel, found, row, audit: [] }, context);
}

/** Makes the audit's events: the beginning, each stage with a new state, and a halt. */
function changesTold(name: string, before: Status | undefined, after: Status): readonly Told[] {
  const told: Told[] = [];
  const tell = (event: string, detail: string): void => void told.push({ event, kind: "rollout", name, detail });
  if (before === undefined) tell("rollout.began", `v${after.target}, from ${printServed(after.from)}`);
  for (const stage of after.stages) {
    const was = before?.stages.find((one) => one.name === stage.name);
    if (stage.state !== (was?.state ?? "waiting")) tell(`rollout.${stage.state}`, stage.name);
  }
  if (after.halted !== undefined && before?.halted === undefined) {
    const { stage, kind, hosts, limit } = after.halted;
    tell("rollout.halted", `${stage}: ${hosts} ${kind}, and it halts at ${limit}`);
  }
  return told;
}

async function tryToSteer(
  context: AuthContext,
  caller: Caller,
  { channel, action, stage, why, force }: Asked,
): Promise<true | typeof overtaken> {
  const written = (await everyRollout(context)).find(({ spec }) => spec.channel === channel);
  const found = await findStanding(context.store, channel);
  const isLost = found === undefined && written === undefined && context.cluster.epoch > 1;
  if (found === undefined && !(isLost && action === "release"))
    throw written === undefined ? missing(channel) : notBegun(channel);
  if (written !== undefined && found !== undefined && wouldForget(written, found.row, action)) throw notBegun(channel);
  const by: Person = { who: actorOf(caller), at: context.now(), why };
  const name = written?.name ?? channel;
  const audit: readonly Told[] = [
    {
      event: `rollout.${pasts[action] ?? action}`,
      kind: "rollout",
      name,
      detail: [stage, why].filter((text) => text !== "").join(": "),
    },
  ];
  if (found === undefined || action === "release") {
    if (written !== undefined) throw notRemoved(written);
    if (found !== undefined && !force) await refuseOtherFiles(context, channel, servedAfter(found.row.status));
    const committed = await commitDecision(caller, { channel, found, row: undefined, audit }, context);
    return committed.kind === "done" ? true : overtaken;
  }
  if (written === undefined) throw missing(channel);
  if (!isSettled(found.row, context.cluster) && action !== "resume" && action !== "undo") throw restored(channel);
  if (found.row.status.undone !== undefined && action !== "undo" && isSettled(found.row, context.cluster))
    throw wasUndone(channel);
  const status = await steered(context, written, { status: found.row.status, action, stage, by });
  const committed = await commitDecision(
    caller,
    { channel, found, row: { ...found.row, epoch: undefined, status }, audit },
    context,
  );
  return committed.kind === "done" ? true : overtaken;
}

/** Whether an action would be lost when a written change begins: a new target forgets every action, and any change forgets an undo. */
function wouldForget({ revision, spec }: Written, { follows, status }: StandingRow, action: string): boolean {
  return follows !== revision && (status.target !== spec.target || action === "undo");
}

const pasts: Readonly<Record<string, string>> = {
  pause: "paused",
  resume: "resumed",
  skip: "skipped",
  undo: "undone",
  release: "released",
};

type Steering = { readonly status: Status; readonly action: string; readonly stage: string; readonly by: Person };

async function steered(context: AuthContext, written: Written, { status, action, stage, by }: Steering): Promise<Status> {
  switch (action) {
    case "pause":
      return pause(status, by);
    case "undo":
      return undo(status, by);
    case "skip": {
      const skipped = skip(status, stage, by);
      if (skipped !== undefined) return skipped;
      const open = status.stages.filter(({ state }) => state !== "done").map(({ name }) => name);
      throw new Fault("request-refused", {
        message: `the rollout has no stage "${quote(stage)}" that is not done`,
        hint: open.length === 0 ? "all of its stages are done" : `those are: ${open.join(", ")}`,
      });
    }
    default: {
      const evidence = (await evidenceOf(context, [written])).get(written.spec.channel);
      return evidence === undefined ? status : resume(written.spec, status, evidence);
    }
  }
}

/** Refuses to release a channel while proxies' own files serve another version, because hosts would be told that version at once. */
async function refuseOtherFiles({ store, now }: AuthContext, channel: string, told: Served): Promise<void> {
  const others = (await everyProxy(store, now())).flatMap((proxy) => {
    const serves = servesOn(proxy, channel);
    const what = serves === undefined ? "nothing" : printServed(serves);
    return proxy.isAsking && what !== printServed(told) ? [`${proxy.hostname} (${proxy.id}) serves ${what}`] : [];
  });
  if (others.length === 0) return;
  const more = others.length > mostShown ? `, and ${others.length - mostShown} more` : "";
  throw new Fault("request-refused", {
    message: `hosts are told ${printServed(told)} on ${quote(channel)}, and by their own files they would be told otherwise: ${others.slice(0, mostShown).join(", ")}${more}`,
    hint: `let the files of these proxies serve ${printServed(told)}, and reload them; or take what they serve: \`tctl rollout release ${quote(channel)} --yes\``,
  });
}

const mostShown = 10;

function restored(channel: string): Fault {
  return new Fault("request-refused", {
    message: `the rollout of ${quote(channel)} came back with a backup, so hosts stay as they are until somebody has looked at it`,
    hint: `\`tctl rollout resume ${quote(channel)}\` goes on from what the backup knew, and \`tctl rollout undo ${quote(channel)} --yes\` ends it`,
  });
}

function wasUndone(channel: string): Fault {
  return new Fault("request-refused", {
    message: `the rollout of ${quote(channel)} was undone, and tells nobody its target`,
    hint: "another target in its file begins anew, and so does any change of the file: `tctl create -f FILE`",
  });
}

function missing(channel: string): Fault {
  return new Fault("resource-missing", {
    message: `the channel ${quote(channel)} has no rollout`,
    hint: "`tctl rollout ls` shows those that there are; a file makes one: `tctl create -f FILE`",
  });
}

function notBegun(channel: string): Fault {
  return new Fault("request-refused", {
    message: `the rollout of ${quote(channel)} has not begun`,
    hint: `\`tctl rollout status ${quote(channel)}\` says what it waits for`,
  });
}

function notRemoved({ name }: Written): Fault {
  return new Fault("request-refused", {
    message: `the rollout ${quote(name)} is still there`,
    hint: `remove it first: \`tctl rm rollout/${name}\`; hosts are then told what they were told before, until the channel is released`,
  });
}
