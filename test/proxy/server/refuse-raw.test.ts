import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { refuseRaw } from "../../../src/proxy/server/refuse-raw.ts";

function said(code: string): { readonly text: string; readonly isDestroyed: boolean } {
  const socket = new PassThrough();
  refuseRaw(Object.assign(new Error("no request"), { code }), socket);
  return { text: String(socket.read() ?? ""), isDestroyed: socket.destroyed };
}

describe("a connection whose bytes are no request", () => {
  test.each(["ECONNRESET", "ERR_TLS_HANDSHAKE_TIMEOUT"])("is closed without an answer after %s", (code) => {
    expect(said(code)).toEqual({ text: "", isDestroyed: true });
  });

  test.each([
    ["HPE_HEADER_OVERFLOW", "HTTP/1.1 431 "],
    ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "HTTP/1.1 413 "],
    ["ERR_HTTP_REQUEST_TIMEOUT", "HTTP/1.1 408 "],
    ["HPE_INVALID_METHOD", "HTTP/1.1 400 "],
  ])("is answered after %s", (code, start) => {
    expect(said(code).text.startsWith(start)).toBe(true);
  });
});
