import { faultAnswer as answerOf, faultRecord } from "../../../rules/fault/fault-answer.ts";
import { faultTable } from "../../../rules/fault/table.ts";

export const fault: ReturnType<typeof faultRecord> = faultRecord(faultTable);
/** The answer of any command that failed. */
export const faultAnswer: ReturnType<typeof answerOf> = answerOf(faultTable);
