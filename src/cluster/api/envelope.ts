import { answerUnreadable } from "./refusal.ts";
import type { Transport } from "./transport.ts";

export type Envelope = { readonly isEnd: boolean; readonly bytes: Uint8Array };

/** Enough for a piece of a backup: 64 KiB, and a third more in base64. */
const mostEnvelopeBytes = 4 * 1024 * 1024;
const headBytes = 5;
const compressed = 1;
const end = 2;

/** Reads Connect's framing of streams: a byte of flags, four bytes of length, and the message. The network may cut the stream anywhere. */
export async function* readEnvelopes(
  body: AsyncIterable<Uint8Array>,
  transport: Pick<Transport, "whom">,
): AsyncGenerator<Envelope> {
  let kept: Buffer = Buffer.alloc(0);
  for await (const piece of body) {
    kept = Buffer.concat([kept, piece]);
    while (kept.length >= headBytes) {
      const flags = kept.readUInt8(0);
      const length = kept.readUInt32BE(1);
      if ((flags & compressed) !== 0) throw answerUnreadable(transport, "it is compressed, and nobody asked for that");
      if (length > mostEnvelopeBytes) throw answerUnreadable(transport, `a piece of it has ${length} bytes`);
      if (kept.length < headBytes + length) break;
      yield { isEnd: (flags & end) !== 0, bytes: kept.subarray(headBytes, headBytes + length) };
      kept = kept.subarray(headBytes + length);
    }
  }
}
