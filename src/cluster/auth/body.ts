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
