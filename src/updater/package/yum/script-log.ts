import { join } from "node:path";
import { watchLog } from "../rpm/scripts.ts";

const stamp = /^\d{4}-\d\d-\d\dT\S+ (\w+) /;
const begun = "--- logging initialized ---";

/** Returns what package scripts print from now on. dnf writes their output into its log, among its own lines. */
export function watchScripts(root: string): () => readonly string[] {
  const added = watchLog(join(root, "var/log/dnf.rpm.log"));
  return () => scriptWords(added());
}

export function scriptWords(log: string): readonly string[] {
  let isWord = false;
  return log.split("\n").flatMap((line) => {
    const level = stamp.exec(line)?.[1];
    // Only the first line of an entry has a time stamp.
    if (level !== undefined) isWord = level === "INFO" && !line.endsWith(begun);
    const text = line.replace(stamp, "").trimEnd();
    return isWord && text !== "" ? [text] : [];
  });
}
