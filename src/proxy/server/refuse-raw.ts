import type { Duplex } from "node:stream";
import { refusal } from "../server-rules/server-answer.ts";
import { refusals, type RefusedAnswer } from "../server-rules/refusal.ts";

/** Answers bytes that are no valid request, and closes the connection, because nobody knows where the next request begins. */
export function refuseRaw(error: Error & { readonly code?: string }, socket: Duplex): void {
  // Sends nothing after a late handshake: if it still ends, the client would take the answer for that of a good request.
  if (error.code === "ECONNRESET" || error.code === "ERR_TLS_HANDSHAKE_TIMEOUT" || !socket.writable) {
    socket.destroy();
    return;
  }
  sayAndClose(refusedFor(error.code ?? ""), socket);
}

export function sayAndClose(refused: RefusedAnswer, socket: Duplex): void {
  const { status, body, allow } = refusal(refused);
  const head = [
    `HTTP/1.1 ${status} ${refused.code}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    ...(allow === undefined ? [] : [`Allow: ${allow}`]),
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

function refusedFor(code: string): RefusedAnswer {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return refusals.headersTooLarge;
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return refusals.bodyTooLarge;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return refusals.requestSlow;
    default:
      return refusals.requestInvalid;
  }
}
