import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../api/call.ts";
import { answerUnreadable } from "../api/refusal.ts";
import type { Transport } from "../api/transport.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { readClock } from "../../machine/clocks/read-clock.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { RunningServer } from "../../proxy/server/server.ts";
import { Fault } from "../../rules/fault/fault.ts";
import { parseDecisionNumber, type DecisionNumber } from "../../rules/channel/decision-number.ts";
import type { AnswerLife } from "./answer-life.ts";
import { writeKeptWords, type KeptWords } from "./kept-words.ts";
import { isOlder, readWords, type SaidWords } from "./read-words.ts";
import { sayNowAndThen } from "./say-now-and-then.ts";

/** What a proxy says when it asks. */
export type AskedWords = {
  /** What its configuration serves. */
  readonly served: Readonly<Record<string, string>>;
  /** The number of auth's words that it has. */
  readonly number: DecisionNumber | undefined;
};

type Ports = {
  /** Undefined if this host belongs to no cluster yet. */
  readonly ask: (asked: AskedWords, stopping: AbortSignal) => Promise<SaidWords> | undefined;
  readonly server: Pick<RunningServer, "decide" | "served">;
  readonly life: Pick<AnswerLife, "begin">;
  readonly dataDirectory: string;
  /** What was read at the start. */
  readonly kept: KeptWords | undefined;
  /** Called when auth has answered, so that no channel has to wait any more. */
  readonly answered: () => void;
  readonly log: Log;
};

/** How long auth may delay its answer if it has no news. */
const waitSeconds = 20;
const longestAskMs = 5000;

/** Asks auth what it has decided. */
export async function askWords(auth: Transport, { served, number }: AskedWords, stopping: AbortSignal): Promise<SaidWords> {
  const request = { served, ...(number === undefined ? {} : { number, waitSeconds }) };
  const timeoutMs = longestAskMs + (number === undefined ? 0 : waitSeconds * 1000);
  const said = await call(auth, { method: "RolloutService/GetWords", request }, { timeoutMs, stopping });
  const { epoch = 0, lifeSeconds = 0, words = [], released = [] } = said;
  const news: SaidWords["news"] =
    said.diverged === true
      ? { kind: "diverged" }
      : said.unchanged === true
        ? { kind: "unchanged" }
        : { kind: "words", words, released };
  const current = parseDecisionNumber(said.number);
  if (current === undefined) throw answerUnreadable(auth, "it has no number");
  return { epoch, number: current, lifeSeconds, news };
}

/** When to ask again. "at-once": auth itself waits until it has news. */
type Next = "at-once" | "later" | "not-joined";
/** A host that has not joined sends nothing. Its wait is short, because a starting service reads its identity within moments. */
const waitsMs: Readonly<Record<Next, number>> = { "at-once": 0, later: 2000, "not-joined": 200 };
/** How often to look whether a reload serves other versions, which auth must know before a rollout begins. */
const lookAtServedMs = 500;
/** How often to write the time of auth's last answer into the file if there is no news. */
const writeEveryMs = 300_000;

/** Answers by auth's words from now on. `first` settles with the first answer or failure. */
export function followWords(ports: Ports): { readonly first: Promise<void>; readonly stop: () => Promise<void> } {
  const failed = sayNowAndThen(ports.log, "auth could not be asked about rollouts; what it said last counts");
  const look = lookForWords(ports);
  const stopping = new AbortController();
  const first = Promise.withResolvers<void>();
  const following = follow();
  return {
    first: first.promise,
    stop: async () => {
      stopping.abort();
      await following;
    },
  };

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = await lookOnce();
      if (next !== "not-joined") first.resolve();
      await sleep(waitsMs[next], undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    first.resolve();
  }

  /** Asks again at once if the configuration serves something else now. */
  async function lookOnce(): Promise<Next> {
    const changed = new AbortController();
    const said = JSON.stringify(ports.server.served());
    const timer = setInterval(() => {
      if (JSON.stringify(ports.server.served()) !== said) changed.abort();
    }, lookAtServedMs);
    try {
      return await look(AbortSignal.any([stopping.signal, changed.signal]));
    } catch (thrown) {
      if (changed.signal.aborted) return "at-once";
      if (!stopping.signal.aborted) failed(thrown);
      return "later";
    } finally {
      clearInterval(timer);
    }
  }
}

/** Returns a function that asks auth, stores a new answer and makes the proxy answer by it. */
export function lookForWords({
  ask,
  server,
  life,
  dataDirectory,
  kept,
  answered,
  log,
}: Ports): (stopping: AbortSignal) => Promise<Next> {
  let last: KeptWords | undefined = kept;
  let writtenMs = Number.NEGATIVE_INFINITY;
  const told = new Set<string>();
  const unwritten = sayNowAndThen(log, "what auth said about rollouts could not be kept on the disk");
  const putBack = sayNowAndThen(log, "auth does not know a decision that this proxy has, so hosts stay as they are");

  return async (stopping) => {
    const before = last ?? nothing;
    const said = await asked({ served: server.served(), number: last?.number }, stopping);
    if (said === undefined) return "not-joined";
    const { epoch, number, news, lifeSeconds } = said;
    if (news.kind === "diverged" || (last !== undefined && isOlder(said, last))) {
      putBack("its store was put back without `tctl restore`: its log says what to type");
      return "later";
    }
    if (news.kind === "words") {
      last = { epoch, number, at: readClock().now, ...readWords(epoch, news, { before, told, log }) };
      // Stores the words before the proxy uses them: if it is killed in between, it must not go back to older ones after its restart.
      keep(last);
      server.decide(last);
    } else if (last !== undefined && monotonicMs() - writtenMs >= writeEveryMs) {
      last = { ...last, at: readClock().now };
      keep(last);
    }
    life.begin(lifeSeconds);
    answered();
    return "at-once";
  };

  async function asked(about: AskedWords, stopping: AbortSignal): Promise<SaidWords | undefined> {
    try {
      return await ask(about, stopping);
    } catch (thrown) {
      // An auth service without this call has no rollouts.
      if (thrown instanceof Fault && thrown.code === "request-refused") answered();
      throw thrown;
    }
  }

  function keep(words: KeptWords): void {
    try {
      writeKeptWords(dataDirectory, words);
      writtenMs = monotonicMs();
    } catch (thrown) {
      unwritten(thrown);
    }
  }
}

const nothing: Pick<KeptWords, "epoch" | "words" | "lost"> = { epoch: 0, words: [], lost: [] };
