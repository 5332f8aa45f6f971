import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { forHostHeader } from "../../rules/channel/asking-host.ts";
import type { Served } from "../../rules/channel/answer.ts";
import type { Word } from "../../rules/rollout/answer.ts";
import type { Question } from "../server-rules/asked.ts";
import {
  askerBy,
  decidedAnswer,
  decisionOf,
  tellsTarget,
  unconfirmedFor,
  type Saying,
  type Words,
} from "../server-rules/decided.ts";
import { prepare, type PreparedServer, type Preparing } from "./prepared.ts";

/** Answers one question of a channel, to each host by its name. */
export type AnswerHost = (headers: IncomingHttpHeaders) => PreparedServer;

/** Whether auth has not confirmed the words for so long that they may be outdated. */
export type IsUnconfirmed = () => boolean;

type Deciding = Preparing & { readonly isUnconfirmed: IsUnconfirmed };

/** Makes the answers for a word once. Each host's answer gets the host's name, and its version if the word is unconfirmed. */
export function hostsAnswered(
  word: Word,
  words: Words,
  { isUnconfirmed, ...preparing }: Deciding,
): (question: Question) => AnswerHost {
  const isTold = tellsTarget(word, (text) => hash("sha256", text, "hex"));
  const decision = decisionOf(words, word);
  const target: Served = { kind: "version", version: word.target };
  return (question) => {
    // Only the confirmed answer with the target says that the update is critical.
    const urgency = word.critical === true ? ({ isCritical: true } as const) : {};
    const usual = { target: answer(question, target, urgency), from: answer(question, word.from) };
    const marked = { target: answer(question, target, mark), from: answer(question, word.from, mark) };
    const unconfirmed = (asker: ReturnType<typeof askerBy>): PreparedServer => {
      const told = unconfirmedFor(asker);
      if ("version" in told) return answer(question, { kind: "version", version: told.version }, mark);
      return isTold(told.asker) ? marked.target : marked.from;
    };
    return (headers) => {
      const asker = askerBy(headers);
      const isMarked = word.unsettled === true || isUnconfirmed();
      const said = isMarked ? unconfirmed(asker) : isTold(asker) ? usual.target : usual.from;
      return asker.host === undefined ? said : { ...said, headers: [...said.headers, forHostHeader, asker.host] };
    };
  };

  function answer(question: Question, served: Served, saying: Omit<Saying, "decision"> = {}): PreparedServer {
    return prepare(decidedAnswer(question, served, { decision, ...saying }), preparing);
  }
}

const mark = { isUnconfirmed: true } as const;
