import { call } from "../api/call.ts";
import type { Transport } from "../api/transport.ts";
import { monotonicMs } from "../../machine/clocks/monotonic.ts";
import { readClock } from "../../machine/clocks/read-clock.ts";
import type { Log } from "../../machine/logging/log.ts";
import type { RunningServer } from "../../proxy/server/server.ts";
import { every } from "../auth/repeat-every.ts";
import type { AnswerLife } from "./answer-life.ts";
import { writeKeptWords, type KeptWords } from "./kept-words.ts";
import { readWords, type SaidWords } from "./read-words.ts";
import { sayNowAndThen } from "./say-now-and-then.ts";

type Ports = {
  /** Asks auth, and says what the configuration serves; undefined if this host belongs to no cluster yet. */
  readonly ask: (served: Readonly<Record<string, string>>) => Promise<SaidWords> | undefined;
  readonly server: Pick<RunningServer, "decide" | "served">;
  readonly life: Pick<AnswerLife, "begin">;
  readonly dataDirectory: string;
  /** What was read at the start. */
  readonly kept: KeptWords | undefined;
  readonly log: Log;
};

/** What auth has decided, for a proxy whose configuration serves this. */
export async function askWords(auth: Transport, served: Readonly<Record<string, string>>): Promise<SaidWords> {
  const asked = { method: "RolloutService/GetWords", request: { served } } as const;
  const { epoch = 0, words = [], lifeSeconds = usualLifeSeconds } = await call(auth, asked, { timeoutMs: longestAskMs });
  return { epoch, words, lifeSeconds };
}

const longestAskMs = 5000;
/** An auth service of before did not say how long its answers count. */
const usualLifeSeconds = 900;
/** A pause is in force within this time. */
const askEveryMs = 2000;
/** The file's time is no older than this while auth answers. */
const writeEveryMs = 300_000;

/** Answers by auth's words from now on. The returned function stops it. */
export function followWords(ports: Ports): () => Promise<void> {
  const failed = sayNowAndThen(ports.log, "auth could not be asked about rollouts; what it said last counts");
  return every(askEveryMs, lookForWords(ports), failed);
}

/** The returned function asks auth, puts a new answer in force and keeps it. */
export function lookForWords({ ask, server, life, dataDirectory, kept, log }: Ports): () => Promise<void> {
  let last: KeptWords = kept ?? { epoch: 0, words: [], at: 0 };
  let heard: string | undefined;
  let writtenMs = Number.NEGATIVE_INFINITY;
  const unreadable = new Set<string>();
  const unwritten = sayNowAndThen(log, "what auth said about rollouts could not be kept on the disk");

  return async () => {
    const said = await ask(server.served());
    if (said === undefined) return;
    const { lifeSeconds, ...saying } = said;
    const text = JSON.stringify(saying);
    const isNews = text !== heard;
    if (!isNews) life.begin(lifeSeconds);
    if (!isNews && monotonicMs() - writtenMs < writeEveryMs) return;
    last = { ...readWords(saying, { before: last.words, unreadable, log }), at: readClock().now };
    // A proxy that ends in between must not go back to what it said before.
    keep();
    if (isNews) server.decide(last);
    heard = text;
    life.begin(lifeSeconds);
  };

  function keep(): void {
    try {
      writeKeptWords(dataDirectory, last);
      writtenMs = monotonicMs();
    } catch (thrown) {
      unwritten(thrown);
    }
  }
}
