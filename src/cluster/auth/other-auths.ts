import type { InstanceId } from "../identity/names.ts";
import { mostRows, type Store } from "../storage/port.ts";

export const lookAtOthersMs = 1000;

type Acting = {
  /** Closes the connections of a removed instance. */
  readonly cut: (id: InstanceId) => void;
  /** Reads the authorities again. */
  readonly lookNow: () => Promise<void>;
};

/**
 * What other auth services did on the same store from now on, by the audit since the last look. What this one did is among it, and does no
 * harm.
 */
export async function heedOthers(store: Pick<Store, "events">, { cut, lookNow }: Acting): Promise<() => Promise<void>> {
  const newest = async (): Promise<number> => (await store.events({ most: 1 }))[0]?.number ?? 0;
  let last = await newest();

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
    const [seen, number] = [last, await newest()];
    if (number === seen) return;
    await removedSince(seen);
    const [rotated] = await store.events({ kind: "ca", most: 1 });
    if (rotated !== undefined && rotated.number > seen) await lookNow();
    last = number;
  };
}
