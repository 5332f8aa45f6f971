import type { Readable } from "node:stream";

/** Output beyond this is dropped while the program runs on: killing a package manager for its chatter would be worse. */
export const longestOutputBytes: number = 4 * 1024 * 1024;

/** A daemon that a program left behind may keep its pipes open for ever; this is long enough to read the program's output after its end. */
export const drainMs = 500;

export type CollectedOutput = { readonly text: () => string; readonly isCut: () => boolean };

export function collectOutput(stream: Readable): CollectedOutput {
  const chunks: Buffer[] = [];
  let length = 0;
  let isCut = false;
  stream.on("data", (chunk: Buffer) => {
    const room = longestOutputBytes - length;
    if (chunk.length > room) isCut = true;
    const kept = chunk.subarray(0, room);
    chunks.push(kept);
    length += kept.length;
  });
  // The drained pipe of a daemon ends with an error that means only that.
  stream.on("error", () => {});
  return { text: () => Buffer.concat(chunks).toString("utf8"), isCut: () => isCut };
}
