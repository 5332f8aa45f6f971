import { setTimeout as sleep } from "node:timers/promises";
import type { DrivenServer } from "../driven.ts";
import { channelPath } from "../running.ts";

const lookEveryMs = 100;
const longestReloadMs = 30_000;

/** Another version at each reload; and a channel that the server asks itself for, so that there are upstreams to take along. */
export function configureVersion(server: DrivenServer, number: number): string {
  const version = `v15.4.${number}`;
  const url = `${server.endpoint}${channelPath("default").replace(/\/version$/, "")}`;
  server.configure(`{default: {static_version: ${version}}, own: {forward_url: "${url}"}}`);
  return version;
}

/** Lets it read its configuration, and waits until it serves that. */
export async function reload(server: DrivenServer, version: string): Promise<void> {
  process.kill(server.processId, "SIGHUP");
  const untilMs = performance.now() + longestReloadMs;
  while ((await served(server)) !== version) {
    if (performance.now() > untilMs) throw new Error(`${version} was not served ${longestReloadMs / 1000} s after the reload`);
    await sleep(lookEveryMs);
  }
}

/** `done` and `refused`, as the server counts them. */
export async function countReloads({ lookUrl }: DrivenServer): Promise<Readonly<Record<"done" | "refused", number>>> {
  const metrics = await (await fetch(`${lookUrl}/metrics`)).text();
  const count = (outcome: string): number =>
    Number(new RegExp(`^svc_proxy_reloads_total\\{outcome="${outcome}"\\} (\\d+)$`, "m").exec(metrics)?.[1]);
  return { done: count("done"), refused: count("refused") };
}

export type Watched = { readonly asked: number; readonly wrong: readonly string[] };

/** Looks all the time whether what is served is what was configured just now or just before. */
export async function watchAnswers(
  server: DrivenServer,
  allowed: () => readonly string[],
  work: Promise<unknown>,
): Promise<Watched> {
  const wrong: string[] = [];
  const isDone = Symbol("done");
  let asked = 0;
  do {
    const before = allowed();
    asked += 1;
    const told = await served(server).catch((error: unknown) => String(error));
    if (![...before, ...allowed()].includes(told)) wrong.push(`in place of ${allowed().join(" or ")}: ${told}`);
  } while ((await Promise.race([work.then(() => isDone), sleep(lookEveryMs)])) !== isDone);
  return { asked, wrong };
}

async function served({ endpoint }: DrivenServer): Promise<string> {
  const answer = await fetch(`${endpoint}${channelPath("default")}`);
  return answer.status === 200 ? (await answer.text()).trim() : `status ${answer.status}`;
}
