import { byDefault, count, listOf, maybe, record, truth, type Of } from "../../rules/shape/shape.ts";
import { plainText } from "../resource/name.ts";
import type { Pin } from "../identity/pin.ts";
import type { ItemKey } from "../storage/port.ts";
import { storedHostname, instanceKind, labels, pin, serial } from "./row-forms.ts";

/** Whoever has joined. The row says whether a certificate counts: without it, or once it is removed, none does. */
export const instanceRow = record({
  kind: instanceKind,
  hostname: storedHostname,
  services: byDefault(listOf(plainText, 16), []),
  version: byDefault(plainText, ""),
  labels: byDefault(labels, {}),
  ephemeral: byDefault(truth, false),
  key: pin,
  /** Of the newest certificate that was seen in use. */
  current: maybe(serial),
  /** Of the newest one that was given out: whether it arrived is known once it is used. */
  issued: serial,
  /** Which authority signed the newest certificate that it has joined with or shown: a renewed one may never have arrived. */
  authority: maybe(pin),
  joined: count,
  renewed: count,
  certificate_until: count,
  token: plainText,
  /** When two were seen to use its key. */
  cloned: maybe(count),
  removed: maybe(count),
});

export type InstanceRow = Of<typeof instanceRow>;

export function instanceKey(id: string): ItemKey {
  return { kind: "instance", name: id };
}

/** Whose key it is, for as long as the row is there: a key belongs to one instance for ever. */
export const keyOwner = record({ instance: plainText });

export function keyOwnerKey(key: Pin): ItemKey {
  return { kind: "instance-key", name: key };
}

/** What it says that it runs; `auth` and `proxy` only with a certificate of that kind. */
export function servicesOf({ kind }: Pick<InstanceRow, "kind">, said: readonly string[]): string[] {
  const found = said.filter((service) => {
    const [, believed] = /^(?:svc-)?(auth|proxy)$/.exec(service.trim().toLowerCase()) ?? [];
    return believed === undefined || believed === kind;
  });
  return found.length === 0 ? [kind] : found;
}
