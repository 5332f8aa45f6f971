import * as http from "node:http";
import * as https from "node:https";

/** What one question came to: the answer with its digest, or why there was none. */
export type Heard = { readonly status: number; readonly body: string; readonly channels: string } | { readonly failure: string };

/** By the URL's scheme; `connections` are kept from one question to the next unless they are fresh for each. */
export type Asking = { readonly url: string; readonly ca?: string; readonly connections?: "kept" | "fresh" };

export function clientFor({ url, ca, connections = "kept" }: Asking): {
  readonly ask: () => Promise<Heard>;
  readonly close: () => void;
} {
  const { Agent, request } = url.startsWith("https:") ? https : http;
  const trust = ca === undefined ? {} : { ca, servername: "outer.test" };
  const agent = new Agent({ keepAlive: connections === "kept", ...trust });
  const ask = (): Promise<Heard> =>
    new Promise((resolve) => {
      const asked = request(url, { agent, timeout: longestMs }, (answer) => {
        let body = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
        answer.on("error", ({ message }) => resolve({ failure: message }));
        answer.on("end", () => {
          resolve({ status: answer.statusCode ?? 0, body, channels: String(answer.headers["x-svc-channels"]) });
        });
      });
      asked.on("timeout", () => asked.destroy(new Error(`no answer within ${longestMs} ms`)));
      asked.on("error", ({ message }) => resolve({ failure: message }));
      asked.end();
    });
  return { ask, close: () => agent.destroy() };
}

/** As long as an updater waits for one question. */
const longestMs = 20_000;

export type Loop = {
  /** Each thing that was heard, by its text, with its number. */
  readonly heard: ReadonlyMap<string, number>;
  readonly count: () => number;
  readonly stop: () => Promise<void>;
};

/** Asks without a pause, so many at a time, until it is stopped. */
export function askInLoop(asking: Asking, atATime: number): Loop {
  const { ask, close } = clientFor(asking);
  const heard = new Map<string, number>();
  let count = 0;
  const stopping = new AbortController();
  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const told = JSON.stringify(await ask());
      heard.set(told, (heard.get(told) ?? 0) + 1);
      count += 1;
    }
  }
  const loops = Array.from({ length: atATime }, loop);
  return {
    heard,
    count: () => count,
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
      close();
    },
  };
}
