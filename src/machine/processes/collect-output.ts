import type { Readable } from "node:stream";

/** Drops further output while the program continues: ending a package manager because it prints much would be worse. */
export const longestOutputBytes: number = 4 * 1024 * 1024;

/** Long enough to read the program's output after its end. A daemon that it left may keep its pipes open for ever. */
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
  // Ignores the error with which the pipe of a left daemon ends.
  stream.on("error", () => {});
  return { text: () => Buffer.concat(chunks).toString("utf8"), isCut: () => isCut };
}
