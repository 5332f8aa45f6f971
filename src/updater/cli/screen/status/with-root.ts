import { shellWord } from "../../../../rules/text/shell-word.ts";

/** Our commands that change the host, and those that only look. */
const changing: readonly string[] = ["run", "hold", "unhold", "pin", "unpin", "retry", "rollback", "enroll", "unenroll"];
const looking: readonly string[] = ["status", "history", "doctor", "dry-run", "schedule", "route", "config"];
const command = new RegExp(`(sudo )?\\bsvc-upgrade (${[...changing, ...looking].join("|")})\\b(?! --(?:root|help)\\b)`, "g");

/**
 * Adds `--root` to the commands in a sentence, and sudo where it is needed, so that people can type them as they are. For another root, changing
 * commands need no sudo, because its owner may type them.
 */
export function asTyped(sentence: string, root: string): string {
  return sentence.replaceAll(command, (_found, sudo: string | undefined, verb: string) => {
    const isChange = changing.includes(verb);
    if (root !== "/") return `${isChange ? "" : (sudo ?? "")}svc-upgrade ${verb} --root ${shellWord(root)}`;
    return sudo !== undefined || isChange ? `sudo svc-upgrade ${verb}` : `svc-upgrade ${verb}`;
  });
}
