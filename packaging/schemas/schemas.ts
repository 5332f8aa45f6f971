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
import { wholeAnswer } from "./parts.ts";
import type { JsonSchema } from "./shapes.ts";

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

/** What is shipped, by file name. Each stands alone: a validator needs no other file to read it. */
export function schemaFiles(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.keys(answers).map((name) => [`${name}.schema.json`, schemaOf(name)]));
}

export function schemaOf(name: string): JsonSchema {
  const found = answers[name];
  if (found === undefined) throw new Error(`there is no answer ${name}`);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:svc-upgrade:schema:${name}`,
    title: `svc-upgrade: ${name}`,
    ...wholeAnswer(found),
  };
}
