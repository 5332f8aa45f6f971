import { faultAnswerWith, type FaultJson } from "../fault/cluster-answer.ts";
import type { ToldFault } from "../fault/explain-cluster.ts";
import { serverFaults } from "../server/faults.ts";
import type { Shown } from "../shape/shown.ts";

/** svc serves what svc-proxy serves, and can end as that does. */
export const faultAnswer: Shown<ToldFault, FaultJson> = faultAnswerWith(serverFaults);
