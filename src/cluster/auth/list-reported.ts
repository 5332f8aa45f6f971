import { setImmediate } from "node:timers/promises";
import type { AuthContext } from "./context.ts";
import { isJoined, type Known, type Reported } from "./known-instances.ts";

export type Reading = Pick<AuthContext, "instances" | "lastReports">;

/** Lets others run between two pieces of a list. */
const listedAtOnce = 500;

/** Lists instances by id, with everything that was committed before the call. */
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
