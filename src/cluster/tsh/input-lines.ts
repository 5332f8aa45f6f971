/** Longer than any password. */
const mostBytes = 64 * 1024;

export type InputLines = {
  /** Returns the next line without its newline, and undefined after the last one. */
  readonly next: () => Promise<string | undefined>;
  readonly close: () => void;
};

/** Returns each line as soon as it arrives, because the writer may wait for an answer before the next. */
export function linesOf(input: AsyncIterable<Uint8Array>): InputLines {
  const pieces = input[Symbol.asyncIterator]();
  let kept = Buffer.alloc(0);
  return {
    next: async () => {
      for (;;) {
        const end = kept.indexOf("\n");
        if (end >= 0) {
          const line = kept.toString("utf8", 0, end);
          kept = kept.subarray(end + 1);
          return line.replace(/\r$/, "");
        }
        const piece = kept.length > mostBytes ? undefined : await pieces.next();
        if (piece === undefined || piece.done === true) {
          const rest = kept.toString("utf8");
          kept = Buffer.alloc(0);
          return rest === "" ? undefined : rest;
        }
        kept = Buffer.concat([kept, piece.value]);
      }
    },
    close: () => void pieces.return?.(),
  };
}
