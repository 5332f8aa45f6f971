import { byDefault, count, listOf, maybe, record, truth, type Of } from "../../rules/shape/shape.ts";
import { labels, plainText } from "../resource/name.ts";
import type { Pin } from "../identity/pin.ts";
import type { ItemKey, Store } from "../storage/port.ts";
import { storedHostname, instanceKind, pin, serial, findRow, type Stored } from "./row-forms.ts";

/** An instance that has joined. Its certificates count only while the row is there and not removed. */
export const instanceRow = record({
  kind: instanceKind,
  hostname: storedHostname,
  services: byDefault(listOf(plainText, 16), []),
  version: byDefault(plainText, ""),
  labels: byDefault(labels, {}),
  ephemeral: byDefault(truth, false),
  key: pin,
  /** The newest certificate that was seen in use. */
  current: maybe(serial),
  /** The newest certificate that was issued. It may not have arrived. */
  issued: serial,
  /** The newest authority that signed a certificate of this instance, as its join or a call showed. */
  authority: maybe(pin),
  joined: count,
  renewed: count,
  certificate_until: count,
  token: plainText,
  /** When two hosts were seen to use this instance's key. */
  cloned: maybe(count),
  removed: maybe(count),
});

export type InstanceRow = Of<typeof instanceRow>;

export function instanceKey(id: string): ItemKey {
  return { kind: "instance", name: id };
}

/** An instance that was not removed. */
export async function findJoined(store: Pick<Store, "get">, id: string): Promise<Stored<InstanceRow> | undefined> {
  const found = await findRow(store, instanceRow, instanceKey(id));
  return found?.row.removed === undefined ? found : undefined;
}

/** A key belongs to one instance for ever. */
export const keyOwner = record({ instance: plainText });

export function keyOwnerKey(key: Pin): ItemKey {
  return { kind: "instance-key", name: key };
}

/** The services that an instance reports. Drops `auth` and `proxy` unless its certificate is of that kind. */
export function servicesOf({ kind }: Pick<InstanceRow, "kind">, said: readonly string[]): string[] {
  const found = said.filter((service) => {
    const [, believed] = /^(?:svc-)?(auth|proxy)$/.exec(service.trim().toLowerCase()) ?? [];
    return believed === undefined || believed === kind;
  });
  return found.length === 0 ? [kind] : found;
}
