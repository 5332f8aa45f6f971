import { auditAnswer } from "../../src/cluster/tctl/json/audit.ts";
import { backupAnswer, restoreAnswer } from "../../src/cluster/tctl/json/backup.ts";
import { changesAnswer } from "../../src/cluster/tctl/json/changed.ts";
import { faultAnswerWithWrong } from "../../src/rules/fault/fault-answer.ts";
import { faultsOf } from "../../src/rules/fault/program-faults.ts";
import { rotationAnswer } from "../../src/cluster/tctl/json/ca.ts";
import { instancesAnswer, labelledInstanceAnswer, removedInstanceAnswer } from "../../src/cluster/tctl/json/instances.ts";
import { inventoryAnswer } from "../../src/cluster/tctl/json/inventory.ts";
import { addedUserAnswer, invitationAnswer } from "../../src/cluster/tctl/json/invitation.ts";
import { rolloutAnswer, rolloutsAnswer } from "../../src/cluster/tctl/json/rollouts.ts";
import { removedSessionsAnswer, sessionsAnswer } from "../../src/cluster/tctl/json/sessions.ts";
import { signInTestAnswer } from "../../src/cluster/tctl/json/sign-in-test.ts";
import { statusAnswer } from "../../src/cluster/tctl/json/status.ts";
import { madeTokenAnswer, removedTokenAnswer, tokensAnswer } from "../../src/cluster/tctl/json/tokens.ts";
import { usersAnswer } from "../../src/cluster/tctl/json/users.ts";
import { versionAnswer } from "../../src/machine/command-line/version.ts";
import type { Answer } from "./answer.ts";

/** The answers of tctl, by name. */
export const answers: Readonly<Record<string, Answer>> = {
  status: { commands: ["status"], shape: statusAnswer },
  changes: { commands: ["create", "rm", "users update", "users rm"], shape: changesAnswer },
  "added-user": { commands: ["users add"], shape: addedUserAnswer },
  "sign-in-test": { commands: ["sso test"], shape: signInTestAnswer },
  invitation: { commands: ["users reset"], shape: invitationAnswer },
  sessions: { commands: ["sessions ls"], shape: sessionsAnswer },
  "removed-sessions": { commands: ["sessions rm"], shape: removedSessionsAnswer },
  users: { commands: ["users ls"], shape: usersAnswer },
  token: { commands: ["tokens add"], shape: madeTokenAnswer },
  tokens: { commands: ["tokens ls"], shape: tokensAnswer },
  "removed-token": { commands: ["tokens rm"], shape: removedTokenAnswer },
  inventory: { commands: ["inventory ls", "inventory show"], shape: inventoryAnswer },
  rollouts: { commands: ["rollout ls"], shape: rolloutsAnswer },
  rollout: {
    commands: ["rollout status", "rollout pause", "rollout resume", "rollout skip", "rollout undo", "rollout release"],
    shape: rolloutAnswer,
  },
  instances: { commands: ["instances ls"], shape: instancesAnswer },
  rotation: { commands: ["ca rotate"], shape: rotationAnswer },
  "labelled-instance": { commands: ["instances label"], shape: labelledInstanceAnswer },
  "removed-instance": { commands: ["instances rm"], shape: removedInstanceAnswer },
  audit: { commands: ["audit ls"], shape: auditAnswer },
  backup: { commands: ["backup"], shape: backupAnswer },
  restore: { commands: ["restore"], shape: restoreAnswer },
  version: { commands: ["version"], shape: versionAnswer("The version of tctl itself.") },
  fault: { commands: ["every command"], shape: faultAnswerWithWrong(faultsOf.tctl) },
};
