import { once } from "node:events";
import type { TLSSocket } from "node:tls";
import { shakeHands, type Trusting } from "../hosts.ts";

/** Frames of HTTP/2 as they stand on the wire: what no library sends. */
export const types = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, window: 8, continuation: 9 } as const;
export const flags = { none: 0, endStream: 1, endHeaders: 4 } as const;

type Frame = {
  readonly type: keyof typeof types;
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: Uint8Array;
};

export function frame({ type, flags: set = flags.none, stream = 0, payload = new Uint8Array() }: Frame): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(types[type], 3);
  head.writeUInt8(set, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Literal and not indexed, names and values below 127 bytes. */
export function headers(fields: Readonly<Record<string, string>>): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value, "latin1")]);
  return Buffer.concat(Object.entries(fields).map(([name, value]) => Buffer.concat([Buffer.from([0]), text(name), text(value)])));
}

export function question(method: string, more: Readonly<Record<string, string>> = {}): Buffer {
  return headers({
    ":method": "POST",
    ":scheme": "https",
    ":authority": "auth",
    ":path": `/svc.v1.${method}`,
    "content-type": "application/json",
    ...more,
  });
}

/** After the handshake, the preface and settings of its own: from here on it is all the client's. */
export async function rawSession(trusting: Trusting): Promise<TLSSocket> {
  const socket = await shakeHands(trusting, { ALPNProtocols: ["h2"] });
  // A server that ends it may reset it.
  socket.on("error", () => undefined);
  socket.resume();
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(frame({ type: "settings" }));
  return socket;
}

type Manner = { readonly most: number; readonly atOnce?: number; readonly pauseMs?: number };

/** As fast as they are taken unless said, until the server ends it or there were so many. How many were sent. */
export async function sendWhileOpen(
  socket: TLSSocket,
  next: (index: number) => Buffer,
  { most, atOnce = 100, pauseMs = 0 }: Manner,
): Promise<number> {
  let sent = 0;
  const ended = once(socket, "close").catch(() => undefined);
  while (sent < most && !socket.destroyed && socket.writable) {
    const batch = Array.from({ length: atOnce }, (_, index) => next(sent + index));
    sent += batch.length;
    if (socket.write(Buffer.concat(batch))) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    else await Promise.race([once(socket, "drain").catch(() => undefined), ended]);
  }
  return sent;
}

/** Whether the server ended it, once all was said. */
export async function isEnded(socket: TLSSocket): Promise<boolean> {
  if (socket.destroyed) return true;
  const ended = new Promise<boolean>((resolve) => socket.once("close", () => resolve(true)));
  return Promise.race([ended, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5000))]);
}
