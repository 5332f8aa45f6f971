import { always, answer, instant, line, list, recordOf, sometimes } from "../../../rules/shape/answer.ts";
import { count } from "../../../rules/shape/shape.ts";
import type { BackupMade } from "../write-backup.ts";
import type { RestoreMade } from "../restore-backup.ts";

export const backupAnswer = answer<BackupMade>("A backup that was made, and read again.")({
  file: always("where it is: anyone who has it can make certificates of the cluster", line, "file"),
  cluster: always("the cluster's name", line, ({ header }) => header.cluster),
  cluster_id: always("the cluster's id", line, ({ header }) => header.cluster_id),
  epoch: always("rises with every restore", count, ({ header }) => header.epoch),
  at: always("as everything was then", instant, ({ header }) => header.at),
  items: always("how many things are in it", count, "items"),
  events: always("how many entries of the audit", count, "events"),
});

const removed = recordOf<RestoreMade["removedAgain"][number]>("what had been removed after the backup")({
  kind: always("its kind", line, ({ kind }) => kind),
  name: always("its name", line, ({ name }) => name),
});

export const restoreAnswer = answer<RestoreMade>("A backup that was put back.")({
  file: always("where it came from", line, "file"),
  cluster: always("the cluster's name", line, ({ header }) => header.cluster),
  at: always("everything is as it was then", instant, ({ header }) => header.at),
  epoch: always("the cluster goes on as this one", count, "epoch"),
  aside: sometimes("where the store lies now that was there", line, "aside"),
  voided_tokens: always("how many join tokens are void", count, "voidedTokens"),
  removed_again: always("what was removed after the backup stays so", list(removed), "removedAgain"),
  trusted_again: always(
    "pins of authorities that a rotation took away after the backup, which has no newer one",
    list(line),
    "trustedAgain",
  ),
  since: sometimes(
    "what had changed since, by the audit of the store that was there, else by the journal; missing where neither could be read",
    list(line),
    ({ since }) => (since.kind === "known" ? since.lines : undefined),
  ),
});
