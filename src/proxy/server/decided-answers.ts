import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { forHostHeader } from "../../rules/channel/asking-host.ts";
import type { Word } from "../../rules/rollout/answer.ts";
import type { Question } from "../server-rules/asked.ts";
import { askerBy, decidedAnswer, decisionOf, tellsTarget, type Words } from "../server-rules/decided.ts";
import { prepare, type PreparedServer, type Preparing } from "./prepared.ts";

/** Answers one question of a channel, to each host by its name. */
export type AnswerHost = (headers: IncomingHttpHeaders) => PreparedServer;

/** Both answers are made once; only the host's name is added to them. */
export function hostsAnswered(word: Word, words: Words, preparing: Preparing): (question: Question) => AnswerHost {
  const isTold = tellsTarget(word, (text) => hash("sha256", text, "hex"));
  const decision = decisionOf(words, word);
  return (question) => {
    const target = prepare(decidedAnswer(question, { kind: "version", version: word.target }, decision), preparing);
    const from = prepare(decidedAnswer(question, word.from, decision), preparing);
    return (headers) => {
      const asker = askerBy(headers);
      const answer = isTold(asker) ? target : from;
      return asker.host === undefined ? answer : { ...answer, headers: [...answer.headers, forHostHeader, asker.host] };
    };
  };
}
