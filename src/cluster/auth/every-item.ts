import type { Item, Store } from "../storage/port.ts";

const rowsAtOnce = 100;

/** In pages, so that nobody waits while they are read. */
export async function* everyItem(store: Pick<Store, "list">, kind: string): AsyncGenerator<Item> {
  let after: string | undefined;
  for (;;) {
    const items = await store.list(kind, { after, most: rowsAtOnce });
    yield* items;
    if (items.length < rowsAtOnce) return;
    after = items.at(-1)?.name;
  }
}
