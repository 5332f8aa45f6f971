import { mostRows, type Item, type Store } from "../storage/port.ts";

/** In pages, so that nobody waits while they are read. `after`: the name of the last item of the page before, or nothing. */
export async function* everyItem(store: Pick<Store, "list">, kind: string, after: string = ""): AsyncGenerator<Item> {
  for (let last = after === "" ? undefined : after; ;) {
    const items: readonly Item[] = await store.list(kind, { after: last, most: mostRows });
    for (const item of items) yield item;
    if (items.length < mostRows) return;
    last = items.at(-1)?.name;
  }
}
