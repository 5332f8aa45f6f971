import { mostRows, type Item, type Store } from "../storage/port.ts";

/** Reads in pages, so that other calls are answered meanwhile. `after` is the last name of the page before, or "". */
export async function* everyItem(store: Pick<Store, "list">, kind: string, after: string = ""): AsyncGenerator<Item> {
  for (let last = after === "" ? undefined : after; ;) {
    const items: readonly Item[] = await store.list(kind, { after: last, most: mostRows });
    for (const item of items) yield item;
    if (items.length < mostRows) return;
    last = items.at(-1)?.name;
  }
}
