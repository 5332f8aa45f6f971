import { join } from "node:path";
import { watchLog } from "../rpm/scripts.ts";

/** Returns what package scripts print from now on. zypper writes it as remarks between the lines of its history. */
export function watchScripts(root: string): () => readonly string[] {
  const added = watchLog(join(root, "var/log/zypp/history"));
  return () => scriptWords(added());
}

export function scriptWords(history: string): readonly string[] {
  const [, ...blocks] = history.split(/^# (?:Additional )?rpm output:$/m);
  return blocks.flatMap((block) => {
    const lines = block.split("\n").slice(1);
    // An empty remark ends the output of a script.
    const end = lines.findIndex((line) => line.trim() === "#" || !line.startsWith("#"));
    return lines.slice(0, end === -1 ? lines.length : end).map((line) => line.slice(2));
  });
}
