import type { Pin } from "../identity/pin.ts";
import { flag, listOf, mapping, maybe, needed, orElse, plainText, seconds, type Form, type ValuesOf } from "../resource/form.ts";
import type { ItemKey } from "../storage/port.ts";
import { hostname, instanceKind, labels, pin, serial } from "./row-forms.ts";

const keys = {
  kind: needed(instanceKind),
  hostname: needed(hostname),
  services: orElse(listOf(plainText, 16), []),
  version: orElse(plainText, ""),
  labels: orElse(labels, {}),
  ephemeral: orElse(flag, false),
  key: needed(pin),
  /** Of the newest certificate that was seen in use. */
  current: maybe(serial),
  /** Of the newest one that was given out: whether it arrived is known once it is used. */
  issued: needed(serial),
  /** Which authority signed the newest certificate that it has joined with or shown: a renewed one may never have arrived. */
  authority: maybe(pin),
  joined: needed(seconds),
  renewed: needed(seconds),
  certificate_until: needed(seconds),
  token: needed(plainText),
  /** When two were seen to use its key. */
  cloned: maybe(seconds),
  removed: maybe(seconds),
};

/** Whoever has joined. The row says whether a certificate counts: without it, or once it is removed, none does. */
export const instanceRow: Form<ValuesOf<typeof keys>> = mapping(keys);
export type InstanceRow = ValuesOf<typeof keys>;

export function instanceKey(id: string): ItemKey {
  return { kind: "instance", name: id };
}

const keyOwnerKeys = { instance: needed(plainText) };

/** Whose key it is, for as long as the row is there: a key belongs to one instance for ever. */
export const keyOwner: Form<ValuesOf<typeof keyOwnerKeys>> = mapping(keyOwnerKeys);

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
