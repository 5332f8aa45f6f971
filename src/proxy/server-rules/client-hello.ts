export type AskedName =
  | { readonly kind: "name"; readonly name: string }
  /** The next bytes may name the host. */
  | { readonly kind: "cut-short" }
  /** The bytes name no host, or are not the beginning of TLS. */
  | { readonly kind: "none" };

const none: AskedName = { kind: "none" };
const cutShort: AskedName = { kind: "cut-short" };

/** Reads the host that a client asks for by SNI (RFC 6066) from a connection's first bytes. The handshake judges everything else. */
export function askedName(bytes: Uint8Array): AskedName {
  const { message, isOver } = firstMessage(bytes);
  const found = nameIn(message);
  return isOver && found === cutShort ? none : found;
}

const handshakeRecord = 22;
const majorVersion = 3;
const recordHead = 5;
const longestRecord = 2 ** 14;

type Message = {
  readonly message: Uint8Array;
  /** Another kind of record follows, so the message ends here. */
  readonly isOver: boolean;
};

/** A message may be cut into records anywhere (RFC 8446, 5.1). */
function firstMessage(bytes: Uint8Array): Message {
  const message = new Uint8Array(bytes.length);
  let length = 0;
  let at = 0;
  let isOver = false;
  while (at < bytes.length && !isOver) {
    const isHandshake = bytes[at] === handshakeRecord && (bytes[at + 1] ?? majorVersion) === majorVersion;
    if (isHandshake && at + recordHead > bytes.length) break;
    const size = numberAt(bytes, at + 3, 2);
    isOver = !isHandshake || size === 0 || size > longestRecord;
    if (isOver) break;
    const piece = bytes.subarray(at + recordHead, at + recordHead + size);
    message.set(piece, length);
    length += piece.length;
    at += recordHead + size;
  }
  return { message: message.subarray(0, length), isOver };
}

const clientHello = 1;
const messageHead = 4;
const versionAndRandom = 2 + 32;
const serverNameExtension = 0;

function nameIn(message: Uint8Array): AskedName {
  if ((message[0] ?? clientHello) !== clientHello) return none;
  if (message.length < messageHead) return cutShort;
  const end = messageHead + numberAt(message, 1, 3);
  const hello = message.subarray(0, end);
  let at = messageHead + versionAndRandom;
  // Skips session, ciphers and compressions. Before each stands its length, in one, two and one bytes.
  for (const width of [1, 2, 1]) {
    if (at + width > hello.length) return missing(at + width, end);
    at += width + numberAt(hello, at, width);
  }
  // Skips the length of all extensions, which go on to the end.
  at += 2;
  while (at + 4 <= hello.length) {
    const size = numberAt(hello, at + 2, 2);
    if (numberAt(hello, at, 2) === serverNameExtension) return firstName(hello, { at: at + 4, size, end });
    at += 4 + size;
  }
  return missing(at + 4, end);
}

const hostName = 0;
const nameHead = 5;
const longestName = 255;

type Extension = { readonly at: number; readonly size: number; readonly end: number };

function firstName(hello: Uint8Array, { at, size, end }: Extension): AskedName {
  const from = at + nameHead;
  if (from > hello.length) return missing(from, end);
  const length = numberAt(hello, at + 3, 2);
  if (hello[at + 2] !== hostName || length === 0 || length > longestName || nameHead + length > size) return none;
  if (from + length > hello.length) return missing(from + length, end);
  return { kind: "name", name: String.fromCharCode(...hello.subarray(from, from + length)).toLowerCase() };
}

function missing(needed: number, end: number): AskedName {
  return needed > end ? none : cutShort;
}

/** Bytes past the end count as 0. */
function numberAt(bytes: Uint8Array, at: number, width: number): number {
  let number = 0;
  for (let index = at; index < at + width; index += 1) number = number * 256 + (bytes[index] ?? 0);
  return number;
}
