import { once } from "node:events";
import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { text } from "node:stream/consumers";

export type Answer = {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
  readonly text: string;
};

/** One call in JSON, as tctl makes it: over root's socket. */
export function askAt(socketPath: string): (method: string, body?: unknown, options?: RequestOptions) => Promise<Answer> {
  return async (method, body = {}, options = {}) => {
    const headers = { "content-type": "application/json" };
    const asking = httpRequest({ socketPath, path: `/svc.v1.${method}`, method: "POST", headers, ...options });
    return answerTo(asking, typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
  };
}

export async function answerTo(asking: ClientRequest, body: string | Uint8Array): Promise<Answer> {
  // An error after the answer has begun fails the answer.
  asking.on("error", () => undefined);
  asking.end(body);
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  const said = await text(response);
  return { status: response.statusCode ?? 0, headers: response.headers, body: parsed(said), text: said };
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}
