import { createHash } from "node:crypto";
import { Fault } from "../../rules/fault/fault.ts";
import { clusterFaultTable } from "../../rules/fault/cluster-table.ts";
import { quote } from "../../rules/text/quote.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";
import { shellWord } from "../../rules/text/shell-word.ts";

/** A token, which is never printed or logged. */
export type JoinToken = { readonly token: string; readonly readableBy: "its owner" | "others" };

/** Enough: a token of ours has 64 characters. */
const longestBytes = 4096;
const oneWord = /^[!-~]{1,256}$/;
/** A token that somebody typed in place of a file. */
const looksLikeToken = /^[\w-]{32,256}$/;
const longestPath = 200;

/** Reads the token from the file of --token. An argument would be visible in the list of processes. */
export function readJoinToken(path: string): JoinToken {
  if (path === "") {
    throw new Fault("usage", {
      message: "--token is empty: it takes the file with the token",
      hint: "write the token into a file (0600) and name that; `tctl tokens add` on the auth host makes one",
    });
  }
  const reading = readFileCapped(path, { capBytes: longestBytes, links: "follow" });
  const file = quote(path, longestPath);
  if (reading.kind !== "read" && looksLikeToken.test(path)) {
    throw new Fault("token-unusable", {
      message: "--token takes a file, and no file has the name that was typed; it is not shown, because it may be the token",
      hint: "put the token into a file (0600) and name that; others may have seen this one: `tctl tokens add` on the auth host makes another",
    });
  }
  if (reading.kind !== "read") {
    const why =
      reading.kind === "missing"
        ? "does not exist"
        : reading.kind === "denied"
          ? "may not be read by you"
          : `cannot be read: ${reading.why}`;
    throw new Fault("file-failed", {
      message: `the token's file ${file} ${why}`,
      hint: quote(`look at it: \`ls -l ${shellWord(path)}\``, 2 * longestPath),
    });
  }
  const token = reading.text.trim();
  if (!oneWord.test(token)) {
    const found = token === "" ? "is empty" : "holds something other than one line with one word";
    throw new Fault("token-unusable", {
      message: `the token's file ${file} ${found}`,
      hint: clusterFaultTable["token-unusable"].remedy,
    });
  }
  return { token, readableBy: (reading.mode & 0o077) === 0 ? "its owner" : "others" };
}

/** The digest by which the cluster knows a token. Nobody can join with it. */
export function tokenDigest({ token }: Pick<JoinToken, "token">): string {
  return createHash("sha256").update(token).digest("hex");
}
