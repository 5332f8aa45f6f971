import { setTimeout as sleep } from "node:timers/promises";
import { startDriven } from "../driven.ts";
import type { Row } from "../../../system/soak/rows.ts";
import { channelPath } from "../running.ts";
import { ask, type Served } from "./client.ts";
import { rowsOf, watchProcess } from "./figures.ts";
import { configureVersion, countReloads, reload, watchAnswers, type Watched } from "./reloads.ts";

export type Soaked = {
  /** What it can serve, and what it served then. */
  readonly most: Served;
  readonly served: Served;
  readonly watched: Watched;
  readonly reloads: Readonly<Record<"done" | "refused", number>>;
  readonly rows: readonly Row[];
};

const reloads = 5;
/** The compiler has done its work after some ten thousand answers. */
const longestTrialSeconds = 10;
const firstVersion = 6;

/** Half of what it can serve, for so long, with reloads in between. */
export async function soakServer(seconds: number): Promise<Soaked> {
  const server = await startDriven("http");
  try {
    const url = `${server.endpoint}${channelPath("default")}`;
    const trial = { seconds: Math.min(longestTrialSeconds, seconds), perSecond: "as fast as it can" } as const;
    await ask(url, trial);
    const most = await ask(url, trial);
    let versions: readonly string[] = [`v15.4.${firstVersion}`];
    const serving = ask(url, { seconds, perSecond: most.perSecond / 2 });
    const reloading = (async () => {
      for (let number = firstVersion + 1; number <= firstVersion + reloads; number += 1) {
        await sleep((1000 * seconds) / (reloads + 1));
        const version = configureVersion(server, number);
        versions = [...versions.slice(-1), version];
        await reload(server, version);
      }
    })();
    const work = Promise.all([serving, reloading]);
    const [[served], samples, watched] = await Promise.all([
      work,
      watchProcess(server.processId, work),
      watchAnswers(server, () => versions, work),
    ]);
    return { most, served, watched, reloads: await countReloads(server), rows: rowsOf(samples) };
  } finally {
    await server.stop();
  }
}
