import { buffer } from "node:stream/consumers";
import type { ClusterFaultCode } from "../../rules/fault/cluster-table.ts";
import { refusalIn } from "./refusal.ts";
import type { PostAnswer } from "./transport.ts";

/** The longest refusal that is read. */
const mostBytes = 1024 * 1024;

/** Reads an answer's body once, so that it can be read again and again. */
export async function readWhole(answer: PostAnswer): Promise<PostAnswer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of answer.body) {
    pieces.push(piece);
    // Stops here, because the body's reader reports that it is too long.
    if ((length += piece.length) > mostBytes) break;
  }
  return { ...answer, body: { [Symbol.asyncIterator]: () => again(pieces) } };
}

// oxlint-disable-next-line typescript/require-await -- what is read later is read the same way
async function* again(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

export async function isRefusedAs(answer: PostAnswer, code: ClusterFaultCode): Promise<boolean> {
  const refusal = await refusalIn(answer, (await buffer(answer.body)).toString(), { whom: "auth" });
  return refusal.code === code;
}
