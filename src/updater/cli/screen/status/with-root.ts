import { shellWord } from "../../../../rules/text/shell-word.ts";

/** Commands of ours that change the host, and those that only look. */
const changing: readonly string[] = ["run", "hold", "unhold", "pin", "unpin", "retry", "rollback", "enroll", "unenroll"];
const looking: readonly string[] = ["status", "history", "doctor", "dry-run", "schedule", "route", "config"];
const command = new RegExp(`(sudo )?\\bsvc-upgrade (${[...changing, ...looking].join("|")})\\b(?! --root)`, "g");

/**
 * What a sentence names can be typed as it stands: with the right to do it, and on the root that it is about. Another root may be
 * anybody's, who changes it; where something there is to be seen as root, that stays.
 */
export function asTyped(sentence: string, root: string): string {
  return sentence.replaceAll(command, (_found, sudo: string | undefined, verb: string) => {
    const isChange = changing.includes(verb);
    if (root !== "/") return `${isChange ? "" : (sudo ?? "")}svc-upgrade ${verb} --root ${shellWord(root)}`;
    return sudo !== undefined || isChange ? `sudo svc-upgrade ${verb}` : `svc-upgrade ${verb}`;
  });
}
