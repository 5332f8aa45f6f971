import type { Check, CheckName } from "../../doctor/check.ts";
import { always, answer, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { count, words, type JsonOf } from "../../../rules/shape/shape.ts";
import { countOf } from "../screen/doctor.ts";

const names: Readonly<Record<CheckName, string>> = {
  settings: "the settings can be read, and are right",
  route: "the way to the version server is known",
  proxy: "the HTTP CONNECT proxy lets through",
  dns: "the first host on the way can be reached by its name",
  tls: "the version server's certificate is trusted",
  channel: "the version server knows the channel",
  answer: "what it answers is a version",
  schedule: "there is a schedule, it is fresh, and the agent can write it",
  package: "the agent's package is installed, whole, and its version can be read",
  manager: "the package manager is known, not locked, and its database whole",
  offer: "a repository offers the served version",
  previous: "the version before can be kept, or had again",
  disk: "there is room for a move",
  agent: "the agent's unit is well",
  binary: "the agent's binary is what its package says",
  timer: "the timer is enabled and runs",
  clock: "the clock is right",
  rivals: "no other updater would move the same package",
  notify: "notify.command can be run, and its credentials are there; left out where it is not set",
};

const verdicts: Readonly<Record<Check["verdict"], string>> = {
  ok: "as it should be",
  warning: "upgrades work, but an administrator should look",
  failed: "upgrades do not work",
  skipped: "it could not be looked at; told says why",
};

const check = recordOf<Check>("one hop or prerequisite")({
  name: always("what was proved", words(names), "name"),
  verdict: always("what came of it", words(verdicts), "verdict"),
  told: always("what was found, for people; the words may change", line, "told"),
  fix: sometimes("what to type, for people; only with a warning or a failure", line, "fix"),
});

export const doctorAnswer = answer<readonly Check[]>(
  "Every hop and prerequisite, and a fix for what fails. The exit status is 69 where something failed.",
)({
  checks: always("in the order in which they were proved", list(check), (checks: readonly Check[]) => checks),
  failed: always("how many failed", count, (checks: readonly Check[]) => countOf(checks, "failed")),
  warnings: always("how many are warnings", count, (checks: readonly Check[]) => countOf(checks, "warning")),
});
export type DoctorJson = JsonOf<typeof doctorAnswer>;
