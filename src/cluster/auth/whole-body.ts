/** A body in pieces. After `whole` has read it, its pieces give the same bytes again. */
export type Body = { readonly pieces: AsyncIterable<Uint8Array>; readonly whole: () => Promise<Uint8Array> };

export function readableWhole(pieces: AsyncIterable<Uint8Array>): Body {
  let reading: Promise<Uint8Array> | undefined;
  const whole = (): Promise<Uint8Array> => (reading ??= joined(pieces));
  return { whole, pieces: piecesOf(pieces, () => reading) };
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

async function* piecesOf(
  pieces: AsyncIterable<Uint8Array>,
  reading: () => Promise<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  const read = reading();
  if (read === undefined) yield* pieces;
  else yield await read;
}
