import { backupPieces } from "../backup-pieces.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { backupAnswer } from "../json/backup.ts";
import { shellWord } from "../../../rules/text/shell-word.ts";
import { refusePerson } from "../find-way.ts";
import { say } from "../screen/say.ts";
import { backupSentences, writeBackup } from "../write-backup.ts";

export async function backup(context: TctlContext, given: Given): Promise<number> {
  const [file = ""] = given.arguments;
  refusePerson(await context.way(), { what: "a backup", typed: `tctl backup ${shellWord(file)}` });
  const transport = await context.transport();
  const made = await writeBackup({
    file,
    existing: given.isSet("force") ? "replace" : "refuse",
    chunks: () => backupPieces(transport, context.surroundings.stopping),
  });
  return say(context, { shape: backupAnswer, value: made, text: () => `${backupSentences(made).join("\n")}\n` });
}
