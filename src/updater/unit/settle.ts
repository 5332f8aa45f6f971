import type { UnitName } from "../../rules/settings/settings.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { Stopwatch } from "../../machine/clocks/stopwatch.ts";
import { isBetweenRestarts, isRunning, isWaiting, type ShownUnit } from "./shown.ts";
import type { UnitControl } from "./systemctl.ts";

export type ToSettle = { readonly unit: UnitName; readonly seconds: number; readonly since: UnixSeconds };

/** How the unit ran. "told": somebody stopped it, or the host is going down. "told" and "masked" prove nothing. */
export type Settled =
  | { readonly kind: "well" | "told" | "masked" }
  | { readonly kind: "ill"; readonly unit: ShownUnit; readonly what: string; readonly afterSeconds: number };

type Effects = { readonly control: Pick<UnitControl, "show" | "lastJob">; readonly stopwatch: Stopwatch };

/** Each look takes some 10 ms. systemd counts restarts between two looks. */
const betweenLooksMs = 1000;

/** Watches the unit for `seconds`. A start or a reload may take all that time. */
export async function settle({ control, stopwatch }: Effects, { unit, seconds, since }: ToSettle): Promise<Settled> {
  const beganMs = stopwatch.nowMs();
  let fewestRestarts = Number.POSITIVE_INFINITY;
  let wasUp = false;
  let wasDown = false;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the point is to look again and again
    const now = await control.show(unit);
    if (now.isMasked) return { kind: "masked" };
    const elapsedMs = stopwatch.nowMs() - beganMs;
    const isOver = elapsedMs >= seconds * 1000;
    const ill = (what: string): Settled => ({ kind: "ill", unit: now, what, afterSeconds: Math.round(elapsedMs / 1000) });
    if (now.restarts > fewestRestarts) return ill("systemd had to start it again");
    if (isBetweenRestarts(now.sub)) return ill("it ended, and systemd is about to start it again");
    // Remembers a lower number too, because systemd counts from 0 again after a manual restart.
    fewestRestarts = now.restarts;
    const isDown = !isRunning(now) && !isWaiting(now);
    if (isDown && wasDown) {
      // oxlint-disable-next-line no-await-in-loop -- asked only where the unit is down
      const job = await control.lastJob(unit, since);
      if (job === undefined || job === "start") return ill("it went down");
      // A stop counts only if the unit stays down, because it may be the first half of a restart.
      if (isOver || (job === "stop" && now.active !== "deactivating")) return { kind: "told" };
    }
    if (isOver && !isDown)
      return wasUp || now.active === "active" || isWaiting(now) ? { kind: "well" } : ill("it has not come up");
    wasUp ||= now.active === "active";
    wasDown = isDown;
    // oxlint-disable-next-line no-await-in-loop -- the point is to wait in between
    await stopwatch.wait(betweenLooksMs);
  }
}
