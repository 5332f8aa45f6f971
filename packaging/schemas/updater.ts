import { passAnswer } from "../../src/cli/json/answer.ts";
import { doctorAnswer } from "../../src/cli/json/doctor.ts";
import { enrollAnswer } from "../../src/cli/json/enroll.ts";
import { eventAnswer } from "../../src/cli/json/event.ts";
import { faultAnswer } from "../../src/cli/json/fault.ts";
import { historyAnswer } from "../../src/cli/json/history.ts";
import { holdAnswer, unholdAnswer } from "../../src/cli/json/hold.ts";
import { notifyAnswer } from "../../src/cli/json/notify.ts";
import { pinAnswer, unpinAnswer } from "../../src/cli/json/pin.ts";
import { retryAnswer } from "../../src/cli/json/retry.ts";
import { routeAnswer } from "../../src/cli/json/route.ts";
import { scheduleAnswer } from "../../src/cli/json/schedule.ts";
import { configAnswer } from "../../src/cli/commands/show-config.ts";
import { statusAnswer } from "../../src/cli/json/status.ts";
import { versionAnswer } from "../../src/cli/json/version.ts";
import type { Answer } from "./answer.ts";

/** By name, as docs/commands.md lists them. */
export const answers: Readonly<Record<string, Answer>> = {
  status: { commands: ["status"], shape: statusAnswer },
  history: { commands: ["history"], shape: historyAnswer },
  doctor: { commands: ["doctor"], shape: doctorAnswer },
  answer: { commands: ["dry-run", "run", "rollback"], shape: passAnswer },
  hold: { commands: ["hold"], shape: holdAnswer },
  unhold: { commands: ["unhold"], shape: unholdAnswer },
  pin: { commands: ["pin"], shape: pinAnswer },
  unpin: { commands: ["unpin"], shape: unpinAnswer },
  retry: { commands: ["retry"], shape: retryAnswer },
  schedule: { commands: ["schedule"], shape: scheduleAnswer },
  route: { commands: ["route"], shape: routeAnswer },
  config: { commands: ["config"], shape: configAnswer },
  notify: { commands: ["notify"], shape: notifyAnswer },
  event: { commands: [], shape: eventAnswer },
  enroll: { commands: ["enroll", "unenroll"], shape: enrollAnswer },
  version: { commands: ["version"], shape: versionAnswer },
  fault: { commands: ["every command"], shape: faultAnswer },
};
