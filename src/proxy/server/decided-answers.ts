import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { forHostHeader } from "../../rules/channel/asking-host.ts";
import type { Served } from "../../rules/channel/answer.ts";
import type { Word } from "../../rules/rollout/answer.ts";
import type { Question } from "../server-rules/asked.ts";
import { askerBy, decidedAnswer, decisionOf, tellsTarget, unconfirmedFor, type Words } from "../server-rules/decided.ts";
import { prepare, type PreparedServer, type Preparing } from "./prepared.ts";

/** Answers one question of a channel, to each host by its name. */
export type AnswerHost = (headers: IncomingHttpHeaders) => PreparedServer;

/** Whether auth has not confirmed the words for so long that they may be outdated. */
export type IsUnconfirmed = () => boolean;

type Deciding = Preparing & { readonly isUnconfirmed: IsUnconfirmed };

/** All answers are made once; only the host's name is added to them, and to an unconfirmed one its version. */
export function hostsAnswered(
  word: Word,
  words: Words,
  { isUnconfirmed, ...preparing }: Deciding,
): (question: Question) => AnswerHost {
  const isTold = tellsTarget(word, (text) => hash("sha256", text, "hex"));
  const decision = decisionOf(words, word);
  const target: Served = { kind: "version", version: word.target };
  return (question) => {
    const [usual, marked] = [answers(question), answers(question, true)];
    const unconfirmed = (asker: ReturnType<typeof askerBy>): PreparedServer => {
      const told = unconfirmedFor(asker);
      if ("version" in told) return answer(question, { kind: "version", version: told.version }, true);
      return isTold(told.asker) ? marked.target : marked.from;
    };
    return (headers) => {
      const asker = askerBy(headers);
      const isMarked = word.unsettled === true || isUnconfirmed();
      const said = isMarked ? unconfirmed(asker) : isTold(asker) ? usual.target : usual.from;
      return asker.host === undefined ? said : { ...said, headers: [...said.headers, forHostHeader, asker.host] };
    };
  };

  function answers(question: Question, isMarked?: true): Readonly<Record<"target" | "from", PreparedServer>> {
    return { target: answer(question, target, isMarked), from: answer(question, word.from, isMarked) };
  }

  function answer(question: Question, served: Served, isMarked?: true): PreparedServer {
    return prepare(
      decidedAnswer(question, served, { decision, ...(isMarked === undefined ? {} : { isUnconfirmed: isMarked }) }),
      preparing,
    );
  }
}
