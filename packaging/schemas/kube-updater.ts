import { askAnswer, dryRunAnswer, statusAnswer } from "../../src/kube/reconcile/json.ts";
import { faultAnswer } from "../../src/rules/fault/fault-answer.ts";
import { faultsOf } from "../../src/rules/fault/program-faults.ts";
import type { Answer } from "./answer.ts";

/** The answers of svc-kube-updater, by name. */
export const answers: Readonly<Record<string, Answer>> = {
  status: { commands: ["status"], shape: statusAnswer },
  "dry-run": { commands: ["dry-run"], shape: dryRunAnswer },
  ask: { commands: ["run", "retry", "rollback"], shape: askAnswer },
  fault: { commands: ["every command"], shape: faultAnswer(faultsOf["svc-kube-updater"]) },
};
