import type { GetWordsRequest, RolloutService } from "../api/generated/svc/v1/rollout_pb.ts";
import { parseDecisionNumber, type DecisionNumber } from "../../rules/channel/decision-number.ts";
import { parseChannelName } from "../../rules/channel/path.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { word, wordOf } from "../../rules/rollout/answer.ts";
import { encode } from "../../rules/shape/write.ts";
import type { AuthContext } from "./context.ts";
import { everyItem } from "./every-item.ts";
import type { HandlersOf } from "./handlers.ts";
import { findNumber, isForeign, printNumber } from "./rollout-number.ts";
import { noteProxy } from "./rollout-proxies.ts";
import { everyStanding, isSettled, releasedKind } from "./rollout-row.ts";

type GetWords = HandlersOf<typeof RolloutService>["getWords"];

/** Shorter than the minute after which HTTP proxies on the way close an idle connection. */
const longestWaitSeconds = 30;
/** How often auth looks for decisions of other auth services on the same store. */
const lookEveryMs = 1000;
/** How often the log repeats that the store was put back. */
const sayEveryMs = 60_000;

export type Words = {
  readonly getWords: GetWords;
  /** Answers the proxies that wait, because this auth service has decided something. */
  readonly wake: () => void;
  /** Answers every proxy that waits. */
  readonly stop: () => void;
};

/** Tells proxies each decision as soon as it is made. */
export function makeWords(): Words {
  let woken = Promise.withResolvers<void>();
  let isStopping = false;
  let saidMs = Number.NEGATIVE_INFINITY;
  const wake = (): void => {
    woken.resolve();
    woken = Promise.withResolvers();
  };

  async function changed(context: AuthContext, { number, waitSeconds }: GetWordsRequest): Promise<DecisionNumber | "unchanged"> {
    const untilMs = performance.now() + Math.min(waitSeconds, longestWaitSeconds) * 1000;
    for (;;) {
      const next = woken.promise;
      const current = printNumber(context.cluster.epoch, await findNumber(context.store));
      if (current !== number) return current;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0 || isStopping) return "unchanged";
      await within(Math.min(leftMs, lookEveryMs), next);
    }
  }

  return {
    wake,
    stop: () => {
      isStopping = true;
      wake();
    },
    getWords: async (context, caller, request) => {
      const { store, cluster, times, log } = context;
      if (caller.kind !== "instance") throw new Error("the gate lets proxies alone ask");
      await note(context, caller.id, request);
      const about = { epoch: cluster.epoch, lifeSeconds: times.answerLifeSeconds };
      const said = parseDecisionNumber(request.number);
      const found = await findNumber(store);
      if (said !== undefined && isForeign(said, cluster.epoch, found)) {
        if (performance.now() - saidMs >= sayEveryMs) log("error", putBack, { proxy: caller.id, heard: said });
        saidMs = performance.now();
        return { ...about, number: printNumber(cluster.epoch, found), diverged: true };
      }
      const number = await changed(context, request);
      // The number was read before the words, so a word that changed in between is sent again with the next number.
      return number === "unchanged"
        ? { ...about, number: request.number, unchanged: true }
        : { ...about, number, ...(await words(context)) };
    },
  };
}

const putBack =
  "a proxy heard a decision about a rollout that this store does not have: the store was put back without `tctl restore`, and hosts stay as they are; take a backup, `tctl backup FILE`, and put that back with `tctl restore FILE`";

/** Notes what a proxy said. If the store takes no changes, as on a full disk, still answers the proxy, which counts as unconfirmed. */
async function note(context: AuthContext, id: string, request: GetWordsRequest): Promise<void> {
  try {
    await noteProxy(context, id, request);
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    context.log("warning", "what a proxy serves could not be stored", { proxy: id, why: thrown.message });
  }
}

type Told = { readonly words: string[]; readonly released: string[] };

async function words({ store, cluster }: AuthContext): Promise<Told> {
  const told: Told = { words: [], released: [] };
  for (const [channel, row] of await everyStanding(store)) {
    const name = parseChannelName(channel);
    if (name === undefined) continue;
    const sent = { ...wordOf({ channel: name }, row.status), ...(isSettled(row, cluster) ? {} : { unsettled: true }) };
    told.words.push(JSON.stringify(encode(word, sent)));
  }
  for await (const { name } of everyItem(store, releasedKind)) told.released.push(name);
  return told;
}

async function within(ms: number, woken: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([woken, late.promise]);
  clearTimeout(timer);
}
