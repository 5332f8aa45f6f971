import { askAnswer, dryRunAnswer, faultAnswer, statusAnswer } from "../../src/kube/reconcile/json.ts";
import type { Answer } from "./answer.ts";

/** By name. */
export const answers: Readonly<Record<string, Answer>> = {
  status: { commands: ["status"], shape: statusAnswer },
  "dry-run": { commands: ["dry-run"], shape: dryRunAnswer },
  ask: { commands: ["run", "retry", "rollback"], shape: askAnswer },
  fault: { commands: ["every command"], shape: faultAnswer },
};
