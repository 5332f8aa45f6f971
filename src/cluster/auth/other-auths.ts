import type { Log } from "../../machine/logging/log.ts";
import type { UnixSeconds } from "../../rules/window/window.ts";
import type { InstanceId } from "../identity/names.ts";
import { mostRows, type AuditEvent, type Store } from "../storage/port.ts";

export const lookAtOthersMs = 1000;
/** A larger difference makes one auth service refuse proofs that another's clock accepts. */
const mostAheadSeconds = 30;

type Acting = {
  /** Closes the connections of a removed instance. */
  readonly cut: (id: InstanceId) => void;
  readonly lookNow: () => Promise<void>;
  readonly now: () => UnixSeconds;
  readonly log: Log;
};

/** Acts on the audit's events since the last look, whichever auth service wrote them. */
export async function heedOthers(store: Pick<Store, "events">, { cut, lookNow, now, log }: Acting): Promise<() => Promise<void>> {
  const newest = async (): Promise<AuditEvent | undefined> => (await store.events({ most: 1 }))[0];
  let last = (await newest())?.number ?? 0;
  let isToldOfClock = false;

  /** Warns if an event is from the future: its writer's clock is ahead. An event from the past proves nothing. */
  function compareClocks(at: UnixSeconds): void {
    const ahead = at - now();
    if (isToldOfClock || ahead <= mostAheadSeconds) return;
    isToldOfClock = true;
    log("warning", "the clock of another auth service is ahead of this one: look at `timedatectl` on all auth hosts", {
      seconds: ahead,
    });
  }

  async function removedSince(number: number): Promise<void> {
    for (let before: number | undefined; ;) {
      const page = await store.events({ event: "instance.removed", before, most: mostRows });
      const since = page.filter((event) => event.number > number);
      for (const { name } of since) cut(name as InstanceId);
      if (since.length < mostRows) return;
      before = since.at(-1)?.number;
    }
  }

  return async () => {
    const event = await newest();
    const [seen, number] = [last, event?.number ?? 0];
    if (number === seen) return;
    if (event !== undefined) compareClocks(event.at);
    await removedSince(seen);
    const [rotated] = await store.events({ kind: "ca", most: 1 });
    if (rotated !== undefined && rotated.number > seen) await lookNow();
    last = number;
  };
}
