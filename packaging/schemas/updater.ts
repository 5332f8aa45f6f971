import { passAnswer } from "../../src/cli/answer.ts";
import { doctorAnswer } from "../../src/cli/doctor-json.ts";
import { enrollAnswer } from "../../src/cli/enroll-json.ts";
import { faultAnswer } from "../../src/cli/fault-json.ts";
import { holdAnswer, unholdAnswer } from "../../src/cli/hold-json.ts";
import { retryAnswer } from "../../src/cli/retry-json.ts";
import { routeAnswer } from "../../src/cli/route-json.ts";
import { scheduleAnswer } from "../../src/cli/schedule/json.ts";
import { configAnswer } from "../../src/cli/show-config.ts";
import { statusAnswer } from "../../src/cli/status/json.ts";
import { versionAnswer } from "../../src/cli/version-json.ts";
import type { Answer } from "./answer.ts";

/** By name, as the README lists them. */
export const answers: Readonly<Record<string, Answer>> = {
  status: { commands: ["status"], shape: statusAnswer },
  doctor: { commands: ["doctor"], shape: doctorAnswer },
  answer: { commands: ["dry-run", "run", "rollback"], shape: passAnswer },
  hold: { commands: ["hold"], shape: holdAnswer },
  unhold: { commands: ["unhold"], shape: unholdAnswer },
  retry: { commands: ["retry"], shape: retryAnswer },
  schedule: { commands: ["schedule"], shape: scheduleAnswer },
  route: { commands: ["route"], shape: routeAnswer },
  config: { commands: ["config"], shape: configAnswer },
  enroll: { commands: ["enroll", "unenroll"], shape: enrollAnswer },
  version: { commands: ["version"], shape: versionAnswer },
  fault: { commands: ["every command"], shape: faultAnswer },
};
