import { parseAddress } from "../../rules/route/host-port.ts";
import { record, type Of } from "../../rules/shape/shape.ts";
import { plainText } from "../resource/name.ts";
import type { Change, ItemKey, Store } from "../storage/port.ts";
import { put } from "./changes.ts";
import { everyItem } from "./every-item.ts";
import { findJoined } from "./instance-row.ts";
import { bodyOf, findRow, rowOf } from "./row-forms.ts";

/** A proxy's public address, stored beside its instance, so that listing proxies needs no walk over all hosts. */
const proxyRow = record({ public_addr: plainText });

function keyOf(id: string): ItemKey {
  return { kind: "proxy", name: id };
}

/** The changes to store when a proxy reports its address. */
export async function noteProxy(store: Store, id: string, address: string): Promise<readonly Change[]> {
  const found = await findRow(store, proxyRow, keyOf(id));
  if (parseAddress(address)?.port === undefined || found?.row.public_addr === address) return [];
  const row: Of<typeof proxyRow> = { public_addr: address };
  return [put(keyOf(id), bodyOf(proxyRow, row), found?.item)];
}

/** HOST:PORT of every proxy that was not removed. */
export async function proxyAddresses(store: Store): Promise<string[]> {
  const found: string[] = [];
  for await (const item of everyItem(store, keyOf("").kind)) {
    if ((await findJoined(store, item.name)) !== undefined) found.push(rowOf(proxyRow, item).public_addr);
  }
  return found;
}
