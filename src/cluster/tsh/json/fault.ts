import { faultAnswerWith, type FaultJson } from "../../../rules/fault/cluster-answer.ts";
import type { ToldFault } from "../../../rules/fault/tell-fault.ts";
import type { Shown } from "../../../rules/shape/json-answer.ts";
import { sharedFaults } from "../faults.ts";

export const faultAnswer: Shown<ToldFault, FaultJson> = faultAnswerWith(sharedFaults);
