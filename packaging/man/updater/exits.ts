import { faultTable } from "../../../src/rules/fault/table.ts";
import { bold, indented, sentence, tagged } from "../roff.ts";

/** What each status means, whatever the fault. */
const statuses: Readonly<Record<number, string>> = {
  0: "done, or nothing to do; an answer was given",
  10: "the move failed, and the version before it is back and runs",
  11: "the move failed, and was not undone",
  64: "the command line is wrong",
  65: "what came from outside is not what it should be",
  69: "this does not heal by itself",
  70: "something that must not happen",
  71: "the operating system failed",
  73: "a file cannot be made",
  74: "a file cannot be read or written",
  75: "not now; the next pass tries again by itself",
  77: "permission is missing",
  78: "the settings, or what they need, are wrong",
  100: "an upgrade is available; only where `dry-run --exit-code` asked for it",
};

export function exitParagraphs(): string {
  const faults = Object.entries(faultTable).map(([code, row]) => ({ code, ...row }));
  const untold = faults.find(({ exit }) => !(exit in statuses));
  if (untold !== undefined) throw new Error(`status ${untold.exit}, of the fault ${untold.code}, is not explained`);
  return Object.entries(statuses)
    .map(([status, told]) => {
      const those = faults.filter(({ exit }) => exit === Number(status));
      return tagged(bold(status), [sentence(told)]) + indented(those.map(faultParagraph));
    })
    .join("");
}

function faultParagraph({ code, meaning, remedy }: { code: string; meaning: string; remedy: string }): string {
  return tagged(bold(code), [sentence(meaning), sentence(`what to do: ${remedy}`)]);
}
