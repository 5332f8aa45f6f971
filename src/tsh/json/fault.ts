import { faultAnswerWith, type FaultJson } from "../../fault/cluster-answer.ts";
import type { ToldFault } from "../../fault/explain-cluster.ts";
import type { Shown } from "../../shape/shown.ts";
import { sharedFaults } from "../faults.ts";

export const faultAnswer: Shown<ToldFault, FaultJson> = faultAnswerWith(sharedFaults);
