import { Agent, get } from "node:http";
import { parseChannelName, channelUrl } from "../../../src/channel/path.ts";
import { request } from "../../../src/network/request.ts";
import { loadTrust } from "../../../src/network/trust.ts";
import type { DrivenServer } from "./server.ts";

export type Question = "version" | "critical";

/** One question, to its answer's last byte; throws what went wrong. */
export type Asker = (question: Question) => Promise<void>;

/** A fresh connection for each question, by the updater's own code; its retries are left out, so that every failure is seen. */
export function freshAsker({ endpoint, caFile }: DrivenServer): Asker {
  // A host has one for each pass; the certificates of all the world would be read 10,000 times here.
  const trust = loadTrust(caFile, []);
  return async (question) => {
    const wanted = { url: urlOf(endpoint, question), longestBody: 1024 };
    const { status } = await request(wanted, {
      routeOf: () => ({ kind: "direct", rule: "loopback" }),
      trust: () => trust,
      plainHttp: "loopback-only",
    });
    if (status !== 200) throw new Error(`answer ${status}`);
  };
}

/** What a reverse proxy before it does: connections that stay open, each for many questions. */
export function keptAsker({ endpoint }: DrivenServer): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (question) =>
    new Promise((resolve, reject) => {
      const asked = get(urlOf(endpoint, question), { agent }, (response) => {
        response.on("end", () => (response.statusCode === 200 ? resolve() : reject(new Error(`answer ${response.statusCode}`))));
        response.on("error", reject).resume();
      });
      asked.on("error", reject);
    });
}

const channel = parseChannelName("default")!;

function urlOf(endpoint: string, question: Question): string {
  return channelUrl(endpoint, channel, question);
}
