import { request as httpRequest } from "node:http";
import type { Socket } from "node:net";
import { answerOf } from "./root-socket.ts";
import type { Posted, PostAnswer } from "./transport.ts";

type Over = {
  readonly socket: Socket;
  /** The name in the Host header, whatever address is dialled. */
  readonly host: string;
  readonly longestHeaderBytes: number;
};

/** Makes one call on its own connection, and closes it after the answer. */
export function postOver(
  { socket, host, longestHeaderBytes }: Over,
  { path, contentType, body, headers: more, signal }: Posted,
): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...more,
      host,
      "content-type": contentType,
      "content-length": body.length,
      "connect-protocol-version": "1",
      connection: "close",
    };
    const asking = httpRequest({
      createConnection: () => socket,
      path,
      method: "POST",
      headers,
      signal,
      maxHeaderSize: longestHeaderBytes,
    });
    asking.on("error", reject);
    asking.on("response", (response) => resolve(answerOf(response)));
    asking.on("close", () => reject(closedSilently()));
    asking.end(body);
  });
}

function closedSilently(): Error {
  return Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" });
}
