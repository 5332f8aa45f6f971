import { faultAnswerWith, type FaultJson } from "../../rules/fault/cluster-answer.ts";
import type { ToldFault } from "../../rules/fault/tell-fault.ts";
import { serverFaults } from "../../proxy/server/faults.ts";
import type { Shown } from "../../rules/shape/json-answer.ts";

/** svc serves what svc-proxy serves, and can end as that does. */
export const faultAnswer: Shown<ToldFault, FaultJson> = faultAnswerWith(serverFaults);
