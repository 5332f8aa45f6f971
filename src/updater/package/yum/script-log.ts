import { join } from "node:path";
import { watchLog } from "../rpm/scripts.ts";

const stamp = /^\d{4}-\d\d-\d\dT\S+ (\w+) /;
const begun = "--- logging initialized ---";

/** Returns what package scripts print from now on. dnf writes it among its own notes; it also prints script errors itself. */
export function watchScripts(root: string): () => readonly string[] {
  const added = watchLog(join(root, "var/log/dnf.rpm.log"));
  return () => scriptWords(added());
}

export function scriptWords(log: string): readonly string[] {
  let isWord = false;
  return log.split("\n").flatMap((line) => {
    const level = stamp.exec(line)?.[1];
    // An entry of several lines has one stamp.
    if (level !== undefined) isWord = level === "INFO" && !line.endsWith(begun);
    const text = line.replace(stamp, "").trimEnd();
    return isWord && text !== "" ? [text] : [];
  });
}
