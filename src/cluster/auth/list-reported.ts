import { setImmediate } from "node:timers/promises";
import type { AuthContext } from "./context.ts";
import { isJoined, type Known, type Reported } from "./known-instances.ts";

export type Reading = Pick<AuthContext, "instances" | "lastReports">;

/** Between two pieces of a list others are let in. */
const listedAtOnce = 500;

/** Lists instances in the order of their ids, as they were when they were asked for or later. */
export async function* reportedAfter({ instances, lastReports }: Reading, after: string): AsyncGenerator<Reported> {
  const known = await instances.now();
  for (let last: string | undefined = after; last !== undefined;) {
    const some: readonly Known[] = known.after(last, listedAtOnce);
    for (const one of some) {
      if (!isJoined(one)) continue;
      const report = one.report && lastReports.freshest(one.id, one.report);
      yield report === one.report ? one : { ...one, report };
    }
    last = some.length < listedAtOnce ? undefined : some.at(-1)?.id;
    await setImmediate();
  }
}
