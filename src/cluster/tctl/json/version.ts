import { always, answer, line } from "../../../rules/shape/json-answer.ts";

export const versionAnswer = answer<string>("The version of tctl itself.")({
  version: always("a semantic version", line, (told: string) => told),
});
