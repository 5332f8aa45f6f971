import type { Readable } from "node:stream";
import { Code, ConnectError } from "@connectrpc/connect";

export type BodyLimits = { readonly mostBytes: number; readonly mostMs: number };

/** Reads a body up to the limits. The connection stays open when it stops early, so that the client gets the reason. */
export async function* readBody(from: Readable, { mostBytes, mostMs }: BodyLimits): AsyncGenerator<Uint8Array> {
  const chunks = from.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => undefined);
  const timer = setTimeout(() => late.reject(tooSlow(mostMs)), mostMs);
  let bytes = 0;
  try {
    for (;;) {
      const next = chunks.next();
      next.catch(() => undefined);
      const { done, value } = await Promise.race([next, late.promise]);
      if (done === true) return;
      bytes += value.byteLength;
      if (bytes > mostBytes) throw tooLarge(mostBytes);
      yield value;
    }
  } finally {
    clearTimeout(timer);
  }
}

export function tooLarge(mostBytes: number): ConnectError {
  return new ConnectError(`what was sent is too large: at most ${mostBytes} bytes are taken`, Code.ResourceExhausted);
}

function tooSlow(mostMs: number): ConnectError {
  return new ConnectError(`what was sent came too slowly: it has to be whole in ${mostMs / 1000} seconds`, Code.DeadlineExceeded);
}

/** A body in pieces. After `whole` has read it, its pieces give the same bytes again. */
type Body = { readonly pieces: AsyncIterable<Uint8Array>; readonly whole: () => Promise<Uint8Array> };

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

/** Node's longest timer. Longer deadlines are cut to it, then refused. */
const mostTimerMs = 2_147_483_647;

const units: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000_001 };

/** Cuts the client's deadline header to Node's longest timer. */
export function shorterDeadline(name: string, value: string): string {
  if (name === "connect-timeout-ms" && /^\d+$/.test(value)) return Number(value) > mostTimerMs ? String(mostTimerMs) : value;
  const [, count = "", unit = ""] = name === "grpc-timeout" ? (/^(\d{1,8})([HMSmun])$/.exec(value) ?? []) : [];
  return Number(count) * (units[unit] ?? 0) > mostTimerMs ? `${Math.floor(mostTimerMs / 3_600_000)}H` : value;
}
