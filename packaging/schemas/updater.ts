import { passAnswer } from "../../src/updater/cli/json/answer.ts";
import { doctorAnswer } from "../../src/updater/cli/json/doctor.ts";
import { enrollAnswer } from "../../src/updater/cli/json/enroll.ts";
import { eventAnswer } from "../../src/updater/cli/json/event.ts";
import { faultAnswer } from "../../src/updater/cli/json/fault.ts";
import { historyAnswer } from "../../src/updater/cli/json/history.ts";
import {
  holdAnswer,
  unholdAnswer,
  pinAnswer,
  unpinAnswer,
  retryAnswer,
  notifyAnswer,
} from "../../src/updater/cli/json/orders.ts";
import { routeAnswer } from "../../src/updater/cli/json/route.ts";
import { scheduleAnswer } from "../../src/updater/cli/json/schedule.ts";
import { configAnswer } from "../../src/updater/cli/commands/show-config.ts";
import { statusAnswer } from "../../src/updater/cli/json/status.ts";
import { versionAnswer } from "../../src/machine/command-line/version.ts";
import type { Answer } from "./answer.ts";

/** The answers of svc-upgrade, by the names that docs/commands.md lists. */
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
  version: { commands: ["version"], shape: versionAnswer("The version of svc-upgrade itself.") },
  fault: { commands: ["every command"], shape: faultAnswer },
};
