import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { errnoWords } from "../../machine/files/errno.ts";
import { shellWord } from "../../rules/text/shell-word.ts";
import { readFileCapped } from "../../machine/files/read-file.ts";

/** What auth accepts in one call. A larger file must be split. */
const mostBytes = 1024 * 1024;
const standardInput = 0;

export type Input = { readonly text: string; readonly file: string };

/** Reads the file, or standard input for `-`. */
export function readInput(path: string): Input {
  if (path === "-") return { text: checked(readStandardInput(), "standard input"), file: "standard input" };
  const file = quote(path, 200);
  const reading = readFileCapped(path, { capBytes: mostBytes, links: "follow" });
  if (reading.kind === "read") return { text: checked(reading.text, file), file };
  const why =
    reading.kind === "missing"
      ? "does not exist"
      : reading.kind === "denied"
        ? "may not be read by you"
        : `cannot be read: ${reading.why}`;
  const look =
    reading.kind === "missing"
      ? `is the name right? \`ls ${shellWord(dirname(path))}\``
      : `look at it: \`ls -l ${shellWord(path)}\``;
  throw new Fault("file-failed", { message: `${file} ${why}`, hint: quote(look, 300) });
}

function readStandardInput(): string {
  try {
    return readFileSync(standardInput, "utf8");
  } catch (thrown) {
    throw new Fault("file-failed", {
      message: `standard input cannot be read: ${errnoWords(thrown)}`,
      hint: "give the file by its name: `tctl create FILE`",
      cause: thrown,
    });
  }
}

function checked(text: string, file: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= mostBytes) return text;
  throw new Fault("resource-invalid", {
    message: `${file} has ${bytes} bytes, and at most ${mostBytes} are taken`,
    hint: "make several files of it",
  });
}
