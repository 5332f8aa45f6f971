import { moveReasons } from "../../plan/host-reasons.ts";

/** Lines of a pass as its log has them: a sentence, then its fields. */

/** The decision to move: what comes after it belongs to the move. */
export function isMoveTold(line: string): boolean {
  const why = /(?: why=|"why":")([a-z-]+)(?=[\s"]|$)/.exec(line)?.[1];
  return why !== undefined && Object.hasOwn(moveReasons, why);
}

/** Whether it may be the sentence that the answer says as well. */
export function mayBeAnswer(line: string): boolean {
  return /^(?:no upgrades available|an upgrade is available) \(/.test(line) && !isMoveTold(line);
}

export function isAnswer(line: string, answer: string | undefined): boolean {
  return answer !== undefined && (line === answer || line.startsWith(`${answer} channel=`));
}
