import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { forHostHeader } from "../../rules/channel/asking-host.ts";
import type { Word } from "../../rules/rollout/answer.ts";
import type { Question } from "../server-rules/asked.ts";
import { askerBy, decidedAnswer, decisionOf, tellsTarget, unconfirmedWord, type Words } from "../server-rules/decided.ts";
import { prepare, type PreparedServer, type Preparing } from "./prepared.ts";

/** Answers one question of a channel, to each host by its name. */
export type AnswerHost = (headers: IncomingHttpHeaders) => PreparedServer;

/** Whether auth has not confirmed the words for so long that they may be outdated. */
export type IsUnconfirmed = () => boolean;

/** All answers are made once; only the host's name is added to them. */
export function hostsAnswered(
  word: Word,
  words: Words,
  { isUnconfirmed, ...preparing }: Preparing & { readonly isUnconfirmed: IsUnconfirmed },
): (question: Question) => AnswerHost {
  const decision = decisionOf(words, word);
  const [confirmed, unconfirmed] = [asked(word), asked(unconfirmedWord(word))];
  return (question) => {
    const usual = answers(question, { decision });
    const marked = answers(question, { decision, isUnconfirmed: true });
    return (headers) => {
      const asker = askerBy(headers);
      const answer = isUnconfirmed() ? marked[unconfirmed(asker)] : usual[confirmed(asker)];
      return asker.host === undefined ? answer : { ...answer, headers: [...answer.headers, forHostHeader, asker.host] };
    };
  };

  function answers(question: Question, saying: Parameters<typeof decidedAnswer>[2]): Record<"target" | "from", PreparedServer> {
    return {
      target: prepare(decidedAnswer(question, { kind: "version", version: word.target }, saying), preparing),
      from: prepare(decidedAnswer(question, word.from, saying), preparing),
    };
  }
}

function asked(word: Word): (asker: ReturnType<typeof askerBy>) => "target" | "from" {
  const isTold = tellsTarget(word, (text) => hash("sha256", text, "hex"));
  return (asker) => (isTold(asker) ? "target" : "from");
}
