import { request as httpRequest, type RequestOptions } from "node:http";

export type Answer = {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
  readonly text: string;
};

/** One call in JSON, as tctl makes it: over root's socket. */
export function askAt(socketPath: string): (method: string, body?: unknown, options?: RequestOptions) => Promise<Answer> {
  return (method, body = {}, options = {}) =>
    new Promise((resolve, reject) => {
      const asking = httpRequest(
        {
          socketPath,
          path: `/svc.v1.${method}`,
          method: "POST",
          headers: { "content-type": "application/json" },
          ...options,
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (chunk: string) => (text += chunk));
          response.on("error", reject);
          response.on("end", () => {
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed(text), text });
          });
        },
      );
      asking.on("error", reject);
      asking.end(typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
    });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
