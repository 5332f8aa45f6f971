import type { Answer } from "./answer.ts";
import { answer } from "./answers/answer.ts";
import { config } from "./answers/config.ts";
import { doctor } from "./answers/doctor.ts";
import { enroll } from "./answers/enroll.ts";
import { fault } from "./answers/fault.ts";
import { hold, unhold } from "./answers/hold.ts";
import { retry } from "./answers/retry.ts";
import { route } from "./answers/route.ts";
import { schedule } from "./answers/schedule.ts";
import { status } from "./answers/status.ts";
import { version } from "./answers/version.ts";

/** By name, as the README lists them. */
export const answers: Readonly<Record<string, Answer>> = {
  status,
  doctor,
  answer,
  hold,
  unhold,
  retry,
  schedule,
  route,
  config,
  enroll,
  version,
  fault,
};
