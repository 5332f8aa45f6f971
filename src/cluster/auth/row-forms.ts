import { Fault } from "../../rules/fault/fault.ts";
import { quote } from "../../rules/text/quote.ts";
import { instanceKinds, parseInstanceId, type InstanceKind } from "../identity/names.ts";
import { parsePin, type Pin } from "../identity/pin.ts";
import type { Thumbprint } from "../identity/proof.ts";
import { check } from "../../rules/shape/check.ts";
import { decodeValue, type Reading } from "../../rules/shape/read.ts";
import { accepted, refused } from "../../rules/shape/reading.ts";
import { matching, oneOf, parsed, refined, type Shape, keysOf } from "../../rules/shape/shape.ts";
import { encode } from "../../rules/shape/write.ts";
import type { Item, ItemKey, JsonObject, Store } from "../storage/port.ts";

export const instanceKind: Shape<InstanceKind> = oneOf(instanceKinds);

export const pin: Shape<Pin> = parsed(parsePin, "sha256: and 64 digits 0-9a-f");

/** A certificate's serial number, in lower-case hex. */
export const serial: Shape<string> = matching(/^[0-9a-f]{1,40}$/, "hexadecimal digits");

export const digest: Shape<string> = matching(/^[0-9a-f]{64}$/, "64 digits 0-9a-f: the SHA-256 of the token");

/** The RFC 7638 thumbprint of a key that makes proofs. */
export const thumbprint: Shape<Thumbprint> = parsed(
  (text) => (/^[\w-]{43}$/.test(text) ? (text as Thumbprint) : undefined),
  "43 letters, digits and - _",
);

const hostnameRule =
  "a host name that is no UUID: letters, digits and . _ -, at most 254; svc.nodename in /etc/svc.yaml gives another";

export const storedHostname: Shape<string> = matching(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?$/, hostnameRule);

/** Commands take host names and ids, so a host name must not look like an id. */
export const hostname: Shape<string> = refined(storedHostname, (name) =>
  parseInstanceId(name.toLowerCase()) === undefined ? accepted(name) : refused(name),
);

/** Reads a stored row. Auth can read what it wrote; a restore or an editor may have written something else. */
export function rowOf<Row>(shape: Shape<Row>, item: Item): Row {
  return storedOr(decodeValue(item.body, shape, "kept"), item);
}

export function storedOr<Row>(reading: Reading<Row>, { kind, name }: Pick<Item, "kind" | "name">): Row {
  if (reading.kind === "read") return reading.value;
  throw new Fault("store-unreadable", {
    message: `the ${kind} ${quote(name)} in the store is damaged: ${reading.why}`,
    hint: "put a backup back, `tctl restore FILE`, or remove it and make it again",
  });
}

export type Stored<Row> = { readonly item: Item; readonly row: Row };

export async function findRow<Row>(store: Pick<Store, "get">, shape: Shape<Row>, key: ItemKey): Promise<Stored<Row> | undefined> {
  const item = await store.get(key);
  return item === undefined ? undefined : { item, row: rowOf(shape, item) };
}

export function bodyOf<Row>(shape: Shape<Row>, row: Row): JsonObject {
  return encode(shape, row) as JsonObject;
}

/** Reads a request, and names all its faults at once. */
export function readSent<Value>(shape: Shape<Value>, raw: unknown, what: string): Value {
  const reading = check(shape, raw);
  if (reading.kind === "value") return reading.value;
  throw new Fault("request-refused", {
    message: `${what} is not taken`,
    hint: "correct what is named",
    wrong: reading.refusals,
  });
}

/** Reads the fields of a message that the shape names. Some have another form in the message. */
export function readFields<Value extends object>(shape: Shape<Value>, message: object, what: string): Value {
  return readSent(shape, Object.fromEntries(Object.entries(message).filter(([key]) => keysOf(shape).includes(key))), what);
}
