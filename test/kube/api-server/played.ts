import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAuthority } from "../../machine/network/fixture/authority.ts";

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** What a real API server sent, cut down to what is read of it. */
export function item(name: string, resourceVersion: string, more: object = {}): object {
  return { apiVersion: "v1", kind: "Thing", metadata: { name, resourceVersion, uid: name }, ...more };
}

export function json(status: number, body: unknown): Answer {
  return (response) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function page(resourceVersion: string, items: readonly object[], more: object = {}): Answer {
  return json(200, { kind: "ThingList", metadata: { resourceVersion, ...more }, items });
}

export function refusal(code: number, message: string): Answer {
  return json(code, { kind: "Status", status: "Failure", message, reason: "Whatever", code });
}

export type Then = "ends" | "is cut" | "is silent";

/** A watch's frames, each as a line, or a line as it stands. */
export function watch(frames: readonly (object | string)[], then: Then): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    for (const [index, frame] of frames.entries()) {
      const isLast = index === frames.length - 1;
      // The frames are out before it is cut.
      response.write(typeof frame === "string" ? frame : `${JSON.stringify(frame)}\n`, () => {
        if (isLast && then === "is cut") response.destroy();
      });
    }
    if (then === "ends") response.end();
  };
}

export const nothing: Answer = () => undefined;

export type Played = AsyncDisposable & {
  readonly place: { readonly url: string; readonly caFile: string; readonly tokenFile: string };
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
    readonly token: string;
    readonly type: string | undefined;
    readonly body: string;
  }[];
  readonly giveToken: (token: string) => void;
};

/** An https server on loopback that answers each request as the next of these, and from then on as the last one. */
export async function played(...answers: readonly Answer[]): Promise<Played> {
  const authority = createAuthority("kube authority");
  const pair = authority.issue({ name: "kube-apiserver", altName: "IP:127.0.0.1" });
  const tokenFile = join(authority.directory, "token");
  const giveToken = (token: string): void => writeFileSync(tokenFile, `${token}\n`);
  giveToken("first");
  const requests: Played["requests"] = [];
  const server = createServer({ key: pair.key, cert: pair.cert }, (request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url ?? "", "https://x");
      const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
      const type = request.headers["content-type"];
      requests.push({ method: request.method ?? "", path: pathname, query: searchParams, token, type, body });
      (answers[requests.length - 1] ?? answers.at(-1) ?? nothing)(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    place: { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, caFile: authority.file, tokenFile },
    requests,
    giveToken,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      authority.remove();
    },
  };
}
