import { statSync } from "node:fs";
import { join } from "node:path";
import { decisionNumber } from "../../rules/channel/decision-number.ts";
import { channelName } from "../../rules/channel/path.ts";
import type { Log } from "../../machine/logging/log.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { writeFileAtomically } from "../../machine/files/write-file.ts";
import { word } from "../../rules/rollout/answer.ts";
import { decode } from "../../rules/shape/read.ts";
import { byDefault, count, listOf, number, record, type Of } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";

const longestBytes = 32 * 1024 * 1024;
const mostWords = 1000;

/** What auth last said about channels. A proxy that restarts continues with it. */
const keptWords = record(
  {
    epoch: count,
    words: listOf(word, mostWords),
    /** The number of this set of words. */
    number: decisionNumber,
    /** Channels that auth does not know any more since it was restored. */
    lost: byDefault(listOf(channelName, mostWords), []),
    /** When auth last confirmed these words. May be some minutes too early. */
    at: number,
  },
  { schema: 1 },
);
export type KeptWords = Of<typeof keptWords>;

function pathIn(dataDirectory: string): string {
  return join(dataDirectory, "rollout-words.json");
}

/** "none" if auth has said nothing yet. */
export function readKeptWords(dataDirectory: string, log: Log): KeptWords | "none" | "unreadable" {
  const path = pathIn(dataDirectory);
  const reading = readFileCapped(path, { capBytes: longestBytes, links: "refuse" });
  if (reading.kind === "missing") return "none";
  const decoded = reading.kind === "read" ? decode(reading.text, keptWords, "ignored") : undefined;
  if (decoded?.kind === "read") return decoded.value;
  const why = decoded?.why ?? (reading.kind === "refused" ? reading.why : "it may not be read by this user");
  log("error", "what auth said about rollouts cannot be read, so no channel is answered until auth says it again", { path, why });
  return "unreadable";
}

/** Gives the file to the directory's owner, because root may start the service once and another user later. */
export function writeKeptWords(dataDirectory: string, words: KeptWords): void {
  const { uid, gid } = statSync(dataDirectory);
  writeFileAtomically(pathIn(dataDirectory), `${JSON.stringify(encode(keptWords, words))}\n`, {
    root: "/",
    mode: 0o600,
    owner: { uid, gid },
    fault: "file-failed",
  });
}
