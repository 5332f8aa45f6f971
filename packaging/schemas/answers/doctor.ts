import type { Check, CheckName } from "../../../src/doctor/check.ts";
import type { Answer } from "../answer.ts";
import { count, list, oneOf, record, text } from "../shapes.ts";

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
};

const verdicts: Readonly<Record<Check["verdict"], string>> = {
  ok: "as it should be",
  warning: "upgrades work, but an administrator should look",
  failed: "upgrades do not work",
  skipped: "it could not be looked at; told says why",
};

export const doctor: Answer = {
  told: "Every hop and prerequisite, and a fix for what fails. The exit status is 69 where something failed.",
  commands: ["doctor"],
  keys: {
    always: {
      checks: list(
        "in the order in which they were proved",
        record("one hop or prerequisite", {
          always: {
            name: oneOf("what was proved", names),
            verdict: oneOf("what came of it", verdicts),
            told: text("what was found, for people; the words may change"),
          },
          sometimes: { fix: text("what to type, for people; only with a warning or a failure") },
        }),
      ),
      failed: count("how many failed"),
      warnings: count("how many are warnings"),
    },
  },
};
