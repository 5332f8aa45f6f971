import { request as httpRequest, type IncomingMessage } from "node:http";
import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { errnoOf, errnoWords } from "../../machine/files/errno.ts";
import { whyEnded } from "./why-ended.ts";
import type { Posted, PostAnswer, Transport } from "./transport.ts";

const longestWhy = 200;
const statusHint = "on the auth host: `systemctl status svc`; elsewhere: auth is run by another host";

/** Calls auth over the socket on its own host. */
export function overSocket(path: string): Transport {
  const whom = `auth at ${path}`;
  return { whom, post: (posted) => post(path, posted), explain: (thrown) => explain(thrown, path) };
}

function post(socketPath: string, { path, contentType, body, signal }: Posted): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: "auth",
      "content-type": contentType,
      "content-length": body.length,
      "connect-protocol-version": "1",
      connection: "close",
    };
    const asking = httpRequest({ socketPath, path, method: "POST", headers, signal }, (response) => resolve(answerOf(response)));
    asking.on("error", reject);
    asking.end(body);
  });
}

export function answerOf(response: IncomingMessage): PostAnswer {
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers["content-type"] ?? "of no type",
    retryAfter: response.headers["retry-after"],
    date: response.headers.date,
    body: response,
  };
}

function explain(thrown: unknown, path: string): Error {
  if (thrown instanceof Fault) return thrown;
  const name = whyEnded(thrown);
  if (name === "TimeoutError") return unreachable(`auth at ${path} did not answer in time`, thrown);
  if (name === "AbortError")
    return unreachable("it was stopped before auth had answered; whether auth did it is not known", thrown);
  switch (errnoOf(thrown)) {
    case "EACCES":
    case "EPERM":
      return new Fault("not-permitted", {
        message: `only root and the service's own user may use ${path}`,
        hint: "run it as root: `sudo tctl …`",
        cause: thrown,
      });
    case "ENOENT":
      return unreachable(`no auth service runs here: there is no socket ${path}`, thrown);
    case "ECONNREFUSED":
      return unreachable(`the auth service has stopped: nobody answers at ${path}`, thrown);
    default:
      return unreachable(`auth at ${path} cannot be asked: ${quote(errnoWords(thrown), longestWhy)}`, thrown);
  }
}

function unreachable(message: string, cause: unknown): Fault {
  return new Fault("auth-unreachable", { message, hint: statusHint, cause });
}
