import { readFileSync } from "node:fs";
import { Agent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { DrivenServer } from "../driven.ts";
import { channelPath } from "../running.ts";

/** How long an honest client waited, over a connection of its own for each question and over one that it keeps. */
export type Waits = {
  readonly asked: number;
  readonly lost: readonly string[];
  readonly worstMs: { fresh: number; kept: number };
};

const askEveryMs = 50;
const longestWaitMs = 30_000;

/** Asks until the work is done, as two updaters and a reverse proxy would. */
export async function askHonestly(server: DrivenServer, work: Promise<unknown>): Promise<Waits> {
  const waits = { asked: 0, lost: [] as string[], worstMs: { fresh: 0, kept: 0 } };
  const done = new AbortController();
  const ask = asker(server);
  const keep = async (connection: "fresh" | "kept"): Promise<void> => {
    while (!done.signal.aborted) {
      const startedMs = performance.now();
      const told = await ask(connection);
      waits.asked += 1;
      if (told !== "200 v15.4.6") waits.lost.push(told);
      waits.worstMs[connection] = Math.max(waits.worstMs[connection], Math.round(performance.now() - startedMs));
      await sleep(askEveryMs);
    }
  };
  await Promise.all([work.finally(() => done.abort()), keep("fresh"), keep("kept")]);
  return waits;
}

function asker({ endpoint, caFile }: DrivenServer): (connection: "fresh" | "kept") => Promise<string> {
  const isSecure = endpoint.startsWith("https");
  const [kept, fresh] = [{ keepAlive: true, maxSockets: 1 }, {}].map((options) =>
    isSecure ? new SecureAgent({ ...options, ca: readFileSync(caFile) }) : new Agent(options),
  );
  const request = isSecure ? secureRequest : plainRequest;
  return (connection) =>
    new Promise((resolve) => {
      const options = { agent: connection === "kept" ? kept : fresh, signal: AbortSignal.timeout(longestWaitMs) };
      const asked = request(`${endpoint}${channelPath("default")}`, options, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        answer.on("error", (error) => resolve(error.message)).on("end", () => resolve(`${answer.statusCode} ${text.trim()}`));
      });
      asked.on("error", (error) => resolve(error.message)).end();
    });
}
