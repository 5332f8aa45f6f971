/** Commands of ours that change the host, and those that only look. */
const changing: readonly string[] = ["run", "hold", "unhold", "retry", "rollback", "enroll", "unenroll"];
const looking: readonly string[] = ["status", "doctor", "dry-run", "schedule", "route", "config"];
const command = new RegExp(`(sudo )?\\bsvc-upgrade (${[...changing, ...looking].join("|")})\\b`, "g");

/** What a sentence names can be typed as it stands: with the right to do it, and on the root that it is about. */
export function asTyped(sentence: string, root: string): string {
  return sentence.replaceAll(command, (_found, sudo: string | undefined, verb: string) => {
    if (root !== "/") return `svc-upgrade ${verb} --root ${root}`;
    return sudo !== undefined || changing.includes(verb) ? `sudo svc-upgrade ${verb}` : `svc-upgrade ${verb}`;
  });
}
