import { faultAnswer as answerOf, faultRecord } from "../../../rules/fault/fault-answer.ts";
import { faultTable } from "../../../rules/fault/table.ts";

export const fault: ReturnType<typeof faultRecord> = faultRecord(faultTable);
/** Replaces any answer. */
export const faultAnswer: ReturnType<typeof answerOf> = answerOf(faultTable);
