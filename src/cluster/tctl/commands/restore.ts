import { hostname, userInfo } from "node:os";
import { build } from "../../../machine/program/program-build.ts";
import { runCommand } from "../../../machine/processes/run-command.ts";
import type { Given } from "../../../machine/command-line/row.ts";
import type { TctlContext } from "../context.ts";
import { restoreAnswer } from "../json/backup.ts";
import { shellWord } from "../../../rules/text/shell-word.ts";
import { refusePerson } from "../find-way.ts";
import { say } from "../screen/say.ts";
import { restoreBackup, restoreSentences } from "../restore-backup.ts";

export async function restore(context: TctlContext, { arguments: [file = ""] }: Given): Promise<number> {
  // Does not ask auth, which is stopped.
  if (context.options.proxy !== undefined)
    refusePerson(await context.way(), { what: "a restore", typed: `tctl restore ${shellWord(file)}` });
  const { dataDirectory, clusterName, storage } = await context.place();
  const made = await restoreBackup({
    file,
    dataDirectory,
    clusterName,
    storage,
    environment: context.surroundings.environment,
    release: build.version,
    now: context.now(),
    by: `${userInfo().username}@${hostname()}`,
    run: runCommand,
  });
  return say(context, { shape: restoreAnswer, value: made, text: () => `${restoreSentences(made).join("\n")}\n` });
}
